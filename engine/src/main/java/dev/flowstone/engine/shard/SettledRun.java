package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.state.RunState;
import java.util.List;

/** What a commit made true of one run, for observers: read it while you are told of it, and keep nothing of it. */
public interface SettledRun {
    RunKey run();

    /** Whether it has new events; only then are there states to look at. */
    boolean hasMoved();

    RunState before();

    RunState after();

    /** That were decided for it in this commit, in order. */
    List<? extends SettledCommand> commands();

    /** Events that no command caused: what was set for a scope that the run lies in. */
    List<EventBody> heeded();
}
