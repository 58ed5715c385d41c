package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Reminder;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Begins an activation of a human task (R13): who is asked, what they see, and what happens meanwhile. */
final class Asking {
    private final Deciding deciding;
    private final Node.HumanTask node;
    private final ActivationId id;

    private Asking(Deciding deciding, Node.HumanTask node, ActivationId id) {
        this.deciding = deciding;
        this.node = node;
        this.id = id;
    }

    static void begin(Deciding deciding, Node.HumanTask node, ActivationId id) {
        try {
            new Asking(deciding, node, id).ask();
        } catch (Unasked e) {
            Dispatching.failed(deciding, id, 1, e.error);
        }
    }

    private void ask() throws Unasked {
        Assignees assignees = Assignees.of(
                render(node.assignees()), deciding.bounds().humans().assignees());
        if (assignees.error().isPresent()) {
            throw new Unasked(assignees.error().get());
        }
        JsonValue request = render(node.request());
        Map<Reminder, Instant> due = new LinkedHashMap<>();
        for (Reminder reminder : node.reminders()) {
            due.put(reminder, due(render(reminder.after())));
        }
        List<Party> parties = assignees.parties();
        boolean opened = deciding.offer(new HumanEvent.HumanTaskOpened(
                id, parties, Payload.of(request), deciding.state().data().subjectVersion()));
        if (!opened) {
            throw new Unasked(TaskError.of(
                    "INPUT_TOO_LARGE",
                    "what people are shown is longer than an event may be: "
                            + deciding.bounds().eventBytes()));
        }
        due.forEach((reminder, at) -> deciding.emit(new EventBody.TimerSet(
                Timers.reminder(id, reminder.name()),
                Timers.generation(deciding, 1),
                at,
                EventBody.TimerPurpose.REMINDER,
                Optional.of(id))));
        Settling.judge(deciding, node, id);
    }

    private JsonValue render(JsonValue template) throws Unasked {
        return switch (deciding.render(template)) {
            case Rendering.Rendered rendered -> rendered.value();
            case Rendering.Failed failed -> throw new Unasked(Dispatching.templateError(failed));
        };
    }

    private Instant due(JsonValue after) throws Unasked {
        Optional<Duration> wait = Waiting.duration(after);
        return wait.flatMap(duration -> Timers.due(deciding.now(), duration))
                .orElseThrow(() -> new Unasked(Waiting.invalid(after)));
    }

    /** Nobody could be asked; control flow inside one decision. */
    private static final class Unasked extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient TaskError error;

        Unasked(TaskError error) {
            super(error.code(), null, false, false);
            this.error = error;
        }
    }
}
