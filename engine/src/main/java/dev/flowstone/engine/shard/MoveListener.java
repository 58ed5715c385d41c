package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.RunKey;

/** Is told, after the commit, that a run moved. */
@FunctionalInterface
public interface MoveListener {
    void moved(RunKey run, long lastSequence);
}
