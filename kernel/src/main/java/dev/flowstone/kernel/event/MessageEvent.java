package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a run says to others and hears of them (R20–R22). */
public sealed interface MessageEvent extends EventBody {
    /** The receipt of a message, before all that it causes (R21); of an aggregate too. */
    record MessageReceived(RunId sender, long number) implements MessageEvent {
        public MessageReceived {
            requireNonNull(sender);
        }
    }

    /**
     * A task says that it has made, or found, a resource that there is once in the tenant; the resource is asked whose it
     * is.
     *
     * @param attempt whose answer says so
     */
    record ResourceClaimed(ActivationId activation, int attempt, String resourceType, String key, Payload content)
            implements MessageEvent {
        public ResourceClaimed {
            requireNonNull(activation);
            requireNonNull(resourceType);
            requireNonNull(key);
            requireNonNull(content);
        }
    }

    /**
     * Whose a resource is that a task has claimed.
     *
     * @param owned whether it is this run's; if not, it was found
     * @param content that its owner linked it with
     */
    record ResourceSettled(ActivationId activation, RunId resource, boolean owned, RunId owner, Payload content)
            implements MessageEvent {
        public ResourceSettled {
            requireNonNull(activation);
            requireNonNull(resource);
            requireNonNull(owner);
            requireNonNull(content);
        }
    }

    /** An await subscribed to a channel. */
    record AwaitOpened(ActivationId activation, RunId channel, String signalType, String key) implements MessageEvent {
        public AwaitOpened {
            requireNonNull(activation);
            requireNonNull(channel);
            requireNonNull(signalType);
            requireNonNull(key);
        }
    }

    /** The signal that an await waited for is there. */
    record SignalAccepted(ActivationId activation, RunId channel, long signal, Payload payload)
            implements MessageEvent {
        public SignalAccepted {
            requireNonNull(activation);
            requireNonNull(channel);
            requireNonNull(payload);
        }
    }

    /** A signal reached an await that was settled before, and went back to its channel. */
    record SignalHandedBack(ActivationId activation, RunId channel, long signal) implements MessageEvent {
        public SignalHandedBack {
            requireNonNull(activation);
            requireNonNull(channel);
        }
    }

    /** An await asked a semaphore for permits. */
    record PermitAwaited(ActivationId activation, RunId semaphore, String name, int limit, int permits, Duration lease)
            implements MessageEvent {
        public PermitAwaited {
            requireNonNull(activation);
            requireNonNull(semaphore);
            requireNonNull(name);
            requireNonNull(lease);
        }
    }

    /** The run holds permits, at most until they expire. */
    record PermitAcquired(ActivationId activation, RunId semaphore, int permits, long fence, Instant expiresAt)
            implements MessageEvent {
        public PermitAcquired {
            requireNonNull(activation);
            requireNonNull(semaphore);
            requireNonNull(expiresAt);
        }
    }

    /** The run gave permits back, or never wanted them any more. */
    record PermitGivenBack(ActivationId activation, RunId semaphore) implements MessageEvent {
        public PermitGivenBack {
            requireNonNull(activation);
            requireNonNull(semaphore);
        }
    }

    /** The lease of permits ran out while the run went on. */
    record PermitLost(ActivationId activation, RunId semaphore, long fence) implements MessageEvent {
        public PermitLost {
            requireNonNull(activation);
            requireNonNull(semaphore);
        }
    }

    /** Nothing came in time; the await ends with outcome {@code timeout}. */
    record AwaitTimedOut(ActivationId activation) implements MessageEvent {
        public AwaitTimedOut {
            requireNonNull(activation);
        }
    }

    /** An emit sent a signal, and is completed by that. */
    record SignalSent(
            ActivationId activation,
            RunId channel,
            String signalType,
            String key,
            Payload payload,
            Optional<String> dedupe,
            boolean broadcast,
            Instant expiresAt)
            implements MessageEvent {
        public SignalSent {
            requireNonNull(activation);
            requireNonNull(channel);
            requireNonNull(signalType);
            requireNonNull(key);
            requireNonNull(payload);
            requireNonNull(dedupe);
            requireNonNull(expiresAt);
        }
    }

    /** An emit gave back what its await had got in this scope instance, and is completed. */
    record PermitsReleased(ActivationId activation, int awaits) implements MessageEvent {
        public PermitsReleased {
            requireNonNull(activation);
        }
    }

    /**
     * A call started a child; the version is pinned by this. One that isn't awaited is completed.
     *
     * @param called the workflow
     */
    record ChildStarted(
            ActivationId activation,
            RunId child,
            WorkflowId called,
            int childVersion,
            Sha256 program,
            Map<String, Payload> input,
            boolean awaited)
            implements MessageEvent {
        public ChildStarted {
            requireNonNull(activation);
            requireNonNull(child);
            requireNonNull(called);
            requireNonNull(program);
            input = Map.copyOf(input);
        }
    }

    /** A child did not end in time; the call ends with outcome {@code timeout}. */
    record CallTimedOut(ActivationId activation, ChildPolicy policy) implements MessageEvent {
        public CallTimedOut {
            requireNonNull(activation);
            requireNonNull(policy);
        }
    }

    /** An operation on this run reached a child. */
    record ChildControlled(ActivationId activation, RunId child, Message.Operation operation, String reason)
            implements MessageEvent {
        public ChildControlled {
            requireNonNull(activation);
            requireNonNull(child);
            requireNonNull(operation);
            requireNonNull(reason);
        }
    }

    /** A child has ended; the call that waited for it ends the same way. */
    record ChildEnded(
            ActivationId activation, RunId child, Message.Ended ended, Payload output, Optional<TaskError> error)
            implements MessageEvent {
        public ChildEnded {
            requireNonNull(activation);
            requireNonNull(child);
            requireNonNull(ended);
            requireNonNull(output);
            requireNonNull(error);
        }
    }

    /**
     * This run is a child.
     *
     * @param activation of the parent that called it
     * @param awaited whether that waits for its end
     * @param lineage the workflows above it, the topmost first
     * @param principal who started the run at the top
     */
    record ChildBegun(
            RunId parent,
            ActivationId activation,
            boolean awaited,
            RunId root,
            int depth,
            List<WorkflowId> lineage,
            String principal)
            implements MessageEvent {
        public ChildBegun {
            requireNonNull(parent);
            requireNonNull(activation);
            requireNonNull(root);
            lineage = List.copyOf(lineage);
            requireNonNull(principal);
        }
    }

    /** The parent doesn't want to know any more how this run ends. */
    record ParentDetached(String reason) implements MessageEvent {
        public ParentDetached {
            requireNonNull(reason);
        }
    }
}
