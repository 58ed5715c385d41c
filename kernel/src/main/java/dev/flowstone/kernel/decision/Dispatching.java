package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Carried;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Activation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Hands out attempts of a task (R11). The input is rendered once, unless the node wants it anew each time. */
final class Dispatching {
    private Dispatching() {}

    /** The next attempt, after a pause; at once if there is none. */
    static void after(Deciding deciding, Node.Task task, ActivationId id, int failed, Duration pause) {
        if (pause.isZero() || pause.isNegative()) {
            attempt(deciding, task, id, failed + 1);
            return;
        }
        Instant due = Timers.due(deciding.now(), pause).orElse(Times.LAST);
        deciding.emit(new EventBody.TimerSet(
                Timers.retry(id),
                Timers.generation(deciding, failed),
                due,
                EventBody.TimerPurpose.RETRY,
                Optional.of(id)));
    }

    static void attempt(Deciding deciding, Node.Task task, ActivationId id, int number) {
        Activation activation = deciding.state().activation(id);
        if (activation != null && Applying.lacks(deciding, task, activation)) {
            failed(deciding, id, number, Applying.noDecision(task));
            return;
        }
        if (number > 1 && !task.rerender()) {
            deciding.emit(new EventBody.TaskScheduled(id, number, task.handler(), Optional.empty(), task.timeout()));
            return;
        }
        anew(deciding, task, id, number);
    }

    /** With an input that is rendered now. */
    static void anew(Deciding deciding, Node.Task task, ActivationId id, int number) {
        Rendering rendering = deciding.render(task.input());
        switch (rendering) {
            case Rendering.Failed failed -> failed(deciding, id, number, templateError(failed));
            case Rendering.Rendered rendered -> hand(deciding, task, id, number, rendered.value());
        }
    }

    private static void hand(Deciding deciding, Node.Task task, ActivationId id, int number, JsonValue value) {
        Carried input;
        try {
            input = deciding.carry(value);
        } catch (Carried.TooLargeException e) {
            failed(deciding, id, number, TaskError.of("INPUT_TOO_LARGE", "the input is " + e.getMessage()));
            return;
        }
        deciding.emit(
                new EventBody.TaskScheduled(id, number, task.handler(), Optional.of(input.payload()), task.timeout()));
        deciding.keep(input);
    }

    /** It fails without having been handed out. */
    static void failed(Deciding deciding, ActivationId id, int number, TaskError error) {
        deciding.emit(new EventBody.TaskFailed(id, number, FailureClass.PERMANENT, error, true));
    }

    static TaskError templateError(Rendering.Failed failed) {
        ExpressionError error = failed.error();
        return new TaskError(
                "TEMPLATE_ERROR",
                Answers.text(error.message(), Answers.EXPRESSION),
                JsonObject.builder()
                        .put("pointer", Answers.text(failed.pointer(), Answers.MESSAGE))
                        .put("code", error.code())
                        .put("position", error.position())
                        .build());
    }
}
