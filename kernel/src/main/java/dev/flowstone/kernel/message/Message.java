package dev.flowstone.kernel.message;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one run or aggregate tells another. */
public sealed interface Message {
    /** To a channel: this activation of the sender waits for one of its signals. */
    record Subscribe(ActivationId activation, String type, String key) implements Message {
        public Subscribe {
            requireNonNull(activation);
            requireNonNull(type);
            requireNonNull(key);
        }
    }

    /** To a channel: it waits no longer. */
    record Unsubscribe(ActivationId activation) implements Message {
        public Unsubscribe {
            requireNonNull(activation);
        }
    }

    /**
     * To a channel: a signal.
     *
     * @param dedupe a repetition under this name is dropped; empty never is
     * @param broadcast goes to everybody who waits now, and is not kept
     * @param expiresAt when it is dropped if nobody has waited for it
     */
    record Signal(
            String type, String key, Payload payload, Optional<String> dedupe, boolean broadcast, Instant expiresAt)
            implements Message {
        public Signal {
            requireNonNull(type);
            requireNonNull(key);
            requireNonNull(payload);
            requireNonNull(dedupe);
            requireNonNull(expiresAt);
        }
    }

    /**
     * From a channel: the signal that this activation waited for.
     *
     * @param signal its number in its channel
     * @param broadcast whether others got it too: it is not to be returned
     * @param expiresAt for whoever gets it if it is returned
     */
    record SignalDelivered(ActivationId activation, long signal, Payload payload, boolean broadcast, Instant expiresAt)
            implements Message {
        public SignalDelivered {
            requireNonNull(activation);
            requireNonNull(payload);
            requireNonNull(expiresAt);
        }
    }

    /**
     * To a channel: the activation was settled before; somebody else may have the signal. It comes back whole, so that a
     * channel needs to keep nothing of what it has delivered.
     */
    record SignalReturned(ActivationId activation, long signal, Payload payload, Instant expiresAt) implements Message {
        public SignalReturned {
            requireNonNull(activation);
            requireNonNull(payload);
            requireNonNull(expiresAt);
        }
    }

    /** To a semaphore: this activation of the sender wants permits. */
    record Acquire(ActivationId activation, String semaphore, int limit, int permits, Duration lease)
            implements Message {
        public Acquire {
            requireNonNull(activation);
            requireNonNull(semaphore);
            requireNonNull(lease);
        }
    }

    /** To a semaphore: it has them no longer, or wants them no longer. */
    record Release(ActivationId activation) implements Message {
        public Release {
            requireNonNull(activation);
        }
    }

    /** From a semaphore; {@code fence} grows with every grant and every expiry. */
    record Granted(ActivationId activation, int permits, long fence, Instant expiresAt) implements Message {
        public Granted {
            requireNonNull(activation);
            requireNonNull(expiresAt);
        }
    }

    /** From a semaphore: the lease ran out, the permits were taken back. */
    record PermitExpired(ActivationId activation, long fence) implements Message {
        public PermitExpired {
            requireNonNull(activation);
        }
    }

    /** To a resource link: the sender's activation wants to be the one that made this resource. */
    record Link(ActivationId activation, String type, String key, Payload value) implements Message {
        public Link {
            requireNonNull(activation);
            requireNonNull(type);
            requireNonNull(key);
            requireNonNull(value);
        }
    }

    /** From a resource link: whose it is, and the value that it has. */
    record Linked(ActivationId activation, boolean created, RunId owner, Payload value) implements Message {
        public Linked {
            requireNonNull(activation);
            requireNonNull(owner);
            requireNonNull(value);
        }
    }

    /**
     * To a run that doesn't exist yet: it begins.
     *
     * @param activation of the parent that called it
     * @param waits whether the parent's call goes on only when it has ended
     * @param root the run at the top of the tree
     * @param depth the parent's, plus one; a run that nobody called has 0
     * @param lineage the workflows above it, the topmost first
     * @param correlation the parent's
     * @param principal who started the run at the top, written {@code kind:id}
     */
    record StartChild(
            WorkflowId workflow,
            int version,
            Sha256 program,
            Map<String, Payload> input,
            ActivationId activation,
            boolean waits,
            RunId root,
            int depth,
            List<WorkflowId> lineage,
            String correlation,
            String principal)
            implements Message {
        public StartChild {
            requireNonNull(workflow);
            requireNonNull(program);
            input = Map.copyOf(input);
            requireNonNull(activation);
            requireNonNull(root);
            lineage = List.copyOf(lineage);
            requireNonNull(correlation);
            requireNonNull(principal);
        }
    }

    /** To a child. */
    record Control(Operation operation, String reason) implements Message {
        public Control {
            requireNonNull(operation);
            requireNonNull(reason);
        }
    }

    /** What a parent does to its children. */
    enum Operation {
        CANCEL,
        TERMINATE,
        SUSPEND,
        RESUME,
        /** It shall not tell its parent how it ends. */
        DETACH
    }

    /** From a child, once, unless it was detached: how it ended. */
    record ChildSettled(ActivationId activation, Ended ended, Payload output, Optional<Reason> error)
            implements Message {
        public ChildSettled {
            requireNonNull(activation);
            requireNonNull(ended);
            requireNonNull(output);
            requireNonNull(error);
        }
    }

    /** Why a child did not succeed; its error, as data. */
    record Reason(String code, String message, JsonObject details) {
        public Reason {
            requireNonNull(code);
            requireNonNull(message);
            requireNonNull(details);
        }
    }

    /** How a child ended. */
    enum Ended {
        SUCCEEDED,
        FAILED,
        CANCELED,
        /** It could not be started: its program is unknown, or the tree is too deep. */
        REFUSED
    }
}
