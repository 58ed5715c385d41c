package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.payload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What happens in signal channels, semaphores and resource links (R20). {@code run} is the sender that it is about. */
public sealed interface AggregateEvent extends EventBody {
    /** Channel: an await stands in line. */
    record SubscriptionOpened(RunId run, ActivationId activation, String signalType, String key)
            implements AggregateEvent {
        public SubscriptionOpened {
            requireNonNull(run);
            requireNonNull(activation);
            requireNonNull(signalType);
            requireNonNull(key);
        }
    }

    /** Channel: an await waits no longer. */
    record SubscriptionClosed(RunId run, ActivationId activation) implements AggregateEvent {
        public SubscriptionClosed {
            requireNonNull(run);
            requireNonNull(activation);
        }
    }

    /**
     * Channel: a signal arrived. Unless it is a broadcast, it is kept until it is matched or expires.
     *
     * @param signal its number in the channel, from 1
     * @param dedupe repetitions under this name are dropped, until {@code dedupeUntil}
     * @param source the run that sent it; empty if it came from outside
     */
    record SignalReceived(
            long signal,
            String signalType,
            String key,
            Payload payload,
            Optional<String> dedupe,
            Instant dedupeUntil,
            boolean broadcast,
            Instant expiresAt,
            Optional<RunId> source)
            implements AggregateEvent {
        public SignalReceived {
            requireNonNull(signalType);
            requireNonNull(key);
            requireNonNull(payload);
            requireNonNull(dedupe);
            requireNonNull(dedupeUntil);
            requireNonNull(expiresAt);
            requireNonNull(source);
        }
    }

    /** Channel: a signal went to an await. */
    record SignalMatched(long signal, RunId run, ActivationId activation) implements AggregateEvent {
        public SignalMatched {
            requireNonNull(run);
            requireNonNull(activation);
        }
    }

    /** Channel: a signal came back from an await that was settled before; it is kept again, in its old place. */
    record SignalTakenBack(long signal, RunId run, ActivationId activation, Payload payload, Instant expiresAt)
            implements AggregateEvent {
        public SignalTakenBack {
            requireNonNull(run);
            requireNonNull(activation);
            requireNonNull(payload);
            requireNonNull(expiresAt);
        }
    }

    /** Channel: nobody waited for a signal in time. */
    record SignalExpired(long signal) implements AggregateEvent {}

    /** Channel: a signal was not taken, since too many are kept already. */
    record SignalRefused(String signalType, String key, Optional<String> dedupe, Optional<RunId> source, String code)
            implements AggregateEvent {
        public SignalRefused {
            requireNonNull(signalType);
            requireNonNull(key);
            requireNonNull(dedupe);
            requireNonNull(source);
            requireNonNull(code);
        }
    }

    /** Semaphore: an await stands in line for permits. The limit that it knows is the newest. */
    record PermitRequested(RunId run, ActivationId activation, String semaphore, int limit, int permits, Duration lease)
            implements AggregateEvent {
        public PermitRequested {
            requireNonNull(run);
            requireNonNull(activation);
            requireNonNull(semaphore);
            requireNonNull(lease);
        }
    }

    /** Semaphore: the await has its permits, until they are released or expire. */
    record PermitGranted(RunId run, ActivationId activation, int permits, long fence, Instant expiresAt)
            implements AggregateEvent {
        public PermitGranted {
            requireNonNull(run);
            requireNonNull(activation);
            requireNonNull(expiresAt);
        }
    }

    /** Semaphore: permits came back. */
    record PermitReleased(RunId run, ActivationId activation) implements AggregateEvent {
        public PermitReleased {
            requireNonNull(run);
            requireNonNull(activation);
        }
    }

    /** Semaphore: an await left the line. */
    record PermitRequestWithdrawn(RunId run, ActivationId activation) implements AggregateEvent {
        public PermitRequestWithdrawn {
            requireNonNull(run);
            requireNonNull(activation);
        }
    }

    /** Semaphore: a lease ran out, the permits were taken back; {@code fence} is higher than their own. */
    record LeaseExpired(RunId run, ActivationId activation, long fence) implements AggregateEvent {
        public LeaseExpired {
            requireNonNull(run);
            requireNonNull(activation);
        }
    }

    /** Resource link: the first to ask; the resource is its own. */
    record ResourceLinked(RunId run, ActivationId activation, String resourceType, String key, Payload content)
            implements AggregateEvent {
        public ResourceLinked {
            requireNonNull(run);
            requireNonNull(activation);
            requireNonNull(resourceType);
            requireNonNull(key);
            requireNonNull(content);
        }
    }

    /** Resource link: somebody else asked, and was told whose it is. */
    record ResourceFound(RunId run, ActivationId activation) implements AggregateEvent {
        public ResourceFound {
            requireNonNull(run);
            requireNonNull(activation);
        }
    }
}
