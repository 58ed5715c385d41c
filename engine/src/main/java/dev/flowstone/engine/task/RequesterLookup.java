package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Requested;

/** For whom a run was started (dataflow.md §12.5.1): read off its history when somebody asks, so that who doesn't pays nothing. */
@FunctionalInterface
public interface RequesterLookup {
    /** For places where nobody asks: the engine itself. */
    RequesterLookup UNKNOWN = () -> new Found(Actor.ENGINE, Requested.NOTHING);

    /** Whom the run was started for; if it is another's child, whom the topmost run was started for. */
    Found find() throws JournalException;

    /**
     * Whom.
     *
     * @param requested what the start said of them
     */
    record Found(Actor actor, Requested requested) {
        public Found {
            requireNonNull(actor);
            requireNonNull(requested);
        }
    }
}
