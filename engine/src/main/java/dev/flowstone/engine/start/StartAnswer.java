package dev.flowstone.engine.start;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Duration;

/** What became of a start; told only after the commit that makes it true. */
public sealed interface StartAnswer {
    /** A new run. */
    record Started(RunId run, long lastSequence) implements StartAnswer {}

    /** The same workflow was started with this request id before. */
    record Existing(RunId run) implements StartAnswer {}

    /** Another workflow was started with this request id before. */
    record OtherWorkflow(RunId run, WorkflowId workflow) implements StartAnswer {}

    /** Refused for good. */
    record Refused(String code, String reason) implements StartAnswer {}

    /** Not now: the tenant has started as much as it may. */
    record OverQuota(String reason, Duration retryAfter) implements StartAnswer {}

    /** Not now: a queue is full or the shard is changing hands. */
    record Busy(String reason, Duration retryAfter) implements StartAnswer {}
}
