package dev.flowstone.engine.call;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.ownership.Member;
import dev.flowstone.kernel.event.EventBody;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What became of a call; told only after the commit that makes it true. */
public sealed interface CallAnswer {
    /**
     * It is part of the run's history.
     *
     * @param events that it caused; none if it repeats what was accepted before
     * @param lastSequence number of the run's last event
     * @param buffered whether it is only recorded and will be decided when its run is resumed, in order
     */
    record Done(List<EventBody> events, long lastSequence, boolean buffered) implements CallAnswer {
        public Done {
            events = List.copyOf(events);
        }
    }

    /** The same request was accepted under this idempotency key before. */
    record Repeated(long lastSequence) implements CallAnswer {}

    /** Another request was accepted under this idempotency key before. */
    record OtherRequest() implements CallAnswer {}

    /** Refused for good, on the state that it met. */
    record Refused(String code, String reason) implements CallAnswer {}

    /**
     * Not now: a queue is full, the shard is changing hands, or the database does not answer.
     *
     * @param owner who can do it now, as this node knows: it isn't here at all
     */
    record Busy(String reason, Duration retryAfter, Optional<Member> owner) implements CallAnswer {
        public Busy {
            requireNonNull(owner);
        }

        /** For now, wherever it is asked. */
        public Busy(String reason, Duration retryAfter) {
            this(reason, retryAfter, Optional.empty());
        }
    }
}
