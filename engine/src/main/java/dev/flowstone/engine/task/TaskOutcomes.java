package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.ResourceLink;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Carried;
import java.util.ArrayList;
import java.util.List;

/** Turns results into what a run may be told: large outputs set aside, messages cut, nothing that can't be stored. */
public final class TaskOutcomes {
    private final TaskConfig config;

    public TaskOutcomes(TaskConfig config) {
        this.config = requireNonNull(config);
    }

    public TaskOutcome of(TaskResult result) {
        return switch (result) {
            case TaskResult.Ok ok -> ok(ok);
            case TaskResult.Skipped skipped -> TaskOutcome.of(new TaskAnswer.Skipped(cut(skipped.reason())));
            case TaskResult.Failed failed ->
                TaskOutcome.of(new TaskAnswer.Failed(failed.failure(), bounded(failed.error()), failed.retryAfter()));
        };
    }

    /** A handler's exception, without its stack trace: events are no log. */
    public TaskOutcome threw(Throwable thrown) {
        String message = thrown.getMessage();
        String name = thrown.getClass().getName();
        return TaskOutcome.failed(
                FailureClass.RETRYABLE, "HANDLER_THREW", cut(message == null ? name : name + ": " + message));
    }

    private TaskOutcome ok(TaskResult.Ok ok) {
        List<ResourceLink> links = new ArrayList<>(ok.links().size());
        try {
            for (TaskResult.Link link : ok.links()) {
                links.add(link(link));
            }
            Carried carried = Carried.of(ok.output(), config.inlineBytes(), config.outputBytes());
            return new TaskOutcome(
                    new TaskAnswer.Ok(carried.payload(), links),
                    carried.content().map(StoredPayload::of).map(List::of).orElse(List.of()));
        } catch (Carried.TooLargeException e) {
            return TaskOutcome.failed(FailureClass.PERMANENT, "OUTPUT_TOO_LARGE", "the output is " + e.getMessage());
        } catch (IllegalArgumentException e) {
            return TaskOutcome.failed(FailureClass.PERMANENT, "INVALID_LINKS", String.valueOf(e.getMessage()));
        }
    }

    /** Its content travels in messages, so it stands inline. */
    private ResourceLink link(TaskResult.Link link) throws Carried.TooLargeException {
        Carried content = Carried.of(link.content(), config.inlineBytes(), config.inlineBytes());
        return new ResourceLink(link.type(), link.key(), content.payload());
    }

    /** Details beyond the inline bound are dropped. */
    private TaskError bounded(TaskError error) {
        JsonObject details = error.details();
        try {
            boolean aside = Carried.of(details, config.inlineBytes(), config.outputBytes())
                    .content()
                    .isPresent();
            details = aside ? JsonObject.EMPTY : details;
        } catch (Carried.TooLargeException e) {
            details = JsonObject.EMPTY;
        }
        return new TaskError(cut(error.code()), cut(error.message()), details);
    }

    /** At most the declared number of characters, and a replacement for what has no UTF-8 form. */
    private String cut(String text) {
        int end = Math.min(text.length(), config.messageCharacters());
        StringBuilder kept = new StringBuilder(end);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
                kept.append(c).append(text.charAt(i));
            } else {
                kept.append(Character.isSurrogate(c) ? '\ufffd' : c);
            }
        }
        return end < text.length() ? kept.append('…').toString() : kept.toString();
    }
}
