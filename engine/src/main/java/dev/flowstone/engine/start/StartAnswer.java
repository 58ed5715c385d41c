package dev.flowstone.engine.start;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.ownership.Member;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Duration;
import java.util.Optional;

/** What became of a start; told only after the commit that makes it true. */
public sealed interface StartAnswer {
    /** A new run. */
    record Started(RunId run, long lastSequence) implements StartAnswer {}

    /** The same workflow was started with this request id before. */
    record Existing(RunId run) implements StartAnswer {}

    /** Another workflow was started with this request id before. */
    record OtherWorkflow(RunId run, WorkflowId workflow) implements StartAnswer {}

    /** Refused for good. */
    record Refused(String code, String reason) implements StartAnswer {
        /** Whether the engine failed at it: nothing that its caller does helps. */
        public boolean isFault() {
            return code.equals("ENGINE_ERROR");
        }

        /** Whether something in it can't be stored. */
        public boolean isUnstorable() {
            return code.equals("BAD_DATA");
        }
    }

    /** Not now: the tenant has started as much as it may. */
    record OverQuota(String reason, Duration retryAfter) implements StartAnswer {}

    /**
     * Not now: a queue is full or the shard is changing hands.
     *
     * @param owner who can do it now, as this node knows: it isn't here at all
     */
    record Busy(String reason, Duration retryAfter, Optional<Member> owner) implements StartAnswer {
        public Busy {
            requireNonNull(owner);
        }

        /** For now, wherever it is asked. */
        public Busy(String reason, Duration retryAfter) {
            this(reason, retryAfter, Optional.empty());
        }
    }
}
