package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.engine.trace.Mark;
import dev.flowstone.engine.trace.TracedStep;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** What surrounds the call of a handler: whoever logs there, and whoever follows it, knows which attempt it is. */
final class AttemptScope implements LogContext {
    private final Tracer tracer;
    private final RunKey run;
    private final RunState state;
    private final Attempt attempt;
    private final Mark from;

    /** Made when the attempt is handed out, before its run goes on elsewhere. */
    AttemptScope(Tracer tracer, RunState state, Attempt attempt) {
        this.tracer = requireNonNull(tracer);
        this.run = new RunKey(state.tenant(), state.run());
        this.state = requireNonNull(state);
        this.attempt = requireNonNull(attempt);
        this.from = tracer.of(run);
    }

    /** Calls it on this thread; its outcome, if it has one yet, comes from there. */
    Optional<TaskOutcome> during(Function<TracedStep, Optional<TaskOutcome>> call) {
        return ScopedValue.where(LogContext.CURRENT, this).call(() -> traced(call));
    }

    private Optional<TaskOutcome> traced(Function<TracedStep, Optional<TaskOutcome>> call) {
        try (TracedStep step = tracer.attempt(from, run, state.program().workflow(), attempt)) {
            Optional<TaskOutcome> outcome = call.apply(step);
            if (outcome.isPresent() && outcome.get().answer() instanceof TaskAnswer.Failed failed) {
                step.failed(failed.error().code());
            }
            return outcome.map(made -> made.from(step.mark()));
        }
    }

    /** By what the attempt is known; its input is nobody's business here. */
    @Override
    public void describe(BiConsumer<String, String> field) {
        field.accept("tenant", run.tenant().value());
        field.accept("run", run.run().toString());
        field.accept("event", Long.toString(state.lastSequence()));
        field.accept("workflow", state.program().workflow().value());
        field.accept("version", Integer.toString(state.version()));
        field.accept("node", attempt.activation().node().value());
        field.accept("activation", attempt.activation().toString());
        field.accept("action", attempt.handler().value());
        field.accept("attempt", Integer.toString(attempt.attempt()));
        field.accept("correlation", state.correlation());
    }
}
