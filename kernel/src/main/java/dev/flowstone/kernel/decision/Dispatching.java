package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
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
            case Rendering.Rendered rendered -> {
                Payload input = Payload.of(rendered.value());
                EventBody scheduled =
                        new EventBody.TaskScheduled(id, number, task.handler(), Optional.of(input), task.timeout());
                hand(deciding, id, number, scheduled);
            }
        }
    }

    static void hand(Deciding deciding, ActivationId id, int number, EventBody scheduled) {
        if (!deciding.offer(scheduled)) {
            int bound = deciding.bounds().eventBytes();
            failed(
                    deciding,
                    id,
                    number,
                    TaskError.of("INPUT_TOO_LARGE", "the input is longer than an event may be: " + bound));
        }
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
