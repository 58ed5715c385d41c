package dev.flowstone.engine.trace;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;

/**
 * A command whose decision is durable.
 *
 * @param command its kind
 * @param fate what became of it
 * @param since when it came to its shard
 * @param until when it was durable
 * @param lastSequence of the run, after it
 * @param begins whether the run begins with what was decided together with it
 */
public record Decided(
        RunKey run,
        WorkflowId workflow,
        String command,
        String fate,
        Instant since,
        Instant until,
        long lastSequence,
        boolean begins) {
    public Decided {
        requireNonNull(run);
        requireNonNull(workflow);
        requireNonNull(command);
        requireNonNull(fate);
        requireNonNull(since);
        requireNonNull(until);
    }
}
