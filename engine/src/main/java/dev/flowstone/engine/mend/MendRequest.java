package dev.flowstone.engine.mend;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.command.Actor;

/**
 * An operator asks for a run that stands still.
 *
 * @param actor who asks, for the log
 * @param reason in their words
 */
public record MendRequest(RunKey run, Act act, Actor actor, String reason) {
    /** What is to be done. */
    public enum Act {
        /** Its rows are made anew from its log, whose chain is verified first; then it is taken up again. */
        REBUILD,
        /** What its shard knows of it is forgotten and read again: open attempts that nobody has are handed out. */
        REENQUEUE
    }

    public MendRequest {
        requireNonNull(run);
        requireNonNull(act);
        requireNonNull(actor);
        requireNonNull(reason);
    }
}
