package dev.flowstone.engine.trace;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.Attempt;

/** Follows work through the engine. Thread-safe; it must not throw, and not wait for anything. */
public interface Tracer {
    /** Nobody follows. */
    Tracer NONE = new Tracer() {};

    /** Where the calling thread is: what it asks of the engine now comes from there. */
    default Mark here() {
        return Mark.NONE;
    }

    /** Where a run is: what it does next comes from there. */
    default Mark of(RunKey run) {
        return Mark.NONE;
    }

    /** Whether a decision that comes from there is worth telling. */
    default boolean follows(Mark from, RunKey run) {
        return false;
    }

    /** A decision is durable; what the run does next comes from it. */
    default void decided(Mark from, Decided decided) {}

    /** A handler is called for an attempt, on this thread. */
    default TracedStep attempt(Mark from, RunKey run, WorkflowId workflow, Attempt attempt) {
        return TracedStep.NONE;
    }

    /** A message is delivered, on this thread. */
    default TracedStep delivery(RunKey run, String destination, long causeSequence, int attempt) {
        return TracedStep.NONE;
    }
}
