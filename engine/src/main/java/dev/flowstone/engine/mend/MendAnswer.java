package dev.flowstone.engine.mend;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.ownership.Member;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What became of a {@link MendRequest}. */
public sealed interface MendAnswer {
    /**
     * It is done. Asked again, nothing is left to do.
     *
     * @param lastSequence number of the run's last event
     * @param differences rows that were put right; none of a run that was only taken up again
     * @param handedOut open attempts that nobody had, and that go out again now
     * @param timersDue timers that are due, and fire now
     */
    record Mended(long lastSequence, List<Difference> differences, int handedOut, int timersDue) implements MendAnswer {
        public Mended {
            differences = List.copyOf(differences);
        }
    }

    /** The run is over: there is nothing to take up. */
    record Over(RunStatus status) implements MendAnswer {}

    /** There is no such run. */
    record Absent() implements MendAnswer {}

    /** Its log can't be trusted, so that nothing was made of it. */
    record Damaged(String reason) implements MendAnswer {
        public Damaged {
            requireNonNull(reason);
        }
    }

    /**
     * Not now.
     *
     * @param owner who has the run, as this node knows: it isn't here at all
     */
    record Busy(String reason, Duration retryAfter, Optional<Member> owner) implements MendAnswer {
        public Busy {
            requireNonNull(owner);
        }

        /** For now, wherever it is asked. */
        public Busy(String reason, Duration retryAfter) {
            this(reason, retryAfter, Optional.empty());
        }
    }
}
