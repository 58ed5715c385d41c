package dev.flowstone.testkit.scenario.step;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Answers for tasks that their stubs hold open: complete, fail. Of the open attempt, unless they name another. */
final class TaskSteps {
    private static final List<String> CLASSES = Arrays.stream(FailureClass.values())
            .map(it -> it.name().toLowerCase(Locale.ROOT))
            .toList();

    private TaskSteps() {}

    static Optional<Step> complete(Cursor value) {
        Members at = Ask.members(value, "task", "attempt", "output");
        Payload output = Payload.of(at.find("output").map(Cursor::value).orElse(JsonObject.EMPTY));
        return answer(value, at, new TaskAnswer.Ok(output));
    }

    static Optional<Step> fail(Cursor value) {
        Members at = Ask.members(value, "task", "attempt", "class", "code", "message");
        FailureClass kind = at.find("class")
                .flatMap(it -> it.word(CLASSES))
                .map(it -> FailureClass.valueOf(it.toUpperCase(Locale.ROOT)))
                .orElse(FailureClass.PERMANENT);
        TaskError error = TaskError.of(
                at.find("code").flatMap(Cursor::text).orElse("FAILED"),
                at.find("message").flatMap(Cursor::text).orElse("fails, as the scenario says"));
        return answer(value, at, new TaskAnswer.Failed(kind, error, Optional.empty()));
    }

    private static Optional<Step> answer(Cursor value, Members at, TaskAnswer answer) {
        Optional<Integer> attempt = at.find("attempt").flatMap(Cursor::count);
        return at.need("task")
                .flatMap(Cursor::text)
                .map(name -> Ask.of(value, at, Ask.ofRun(run -> {
                    ActivationId task = Activations.find(run, name);
                    int number = attempt.isPresent() ? attempt.get() : Activations.attempt(run, task);
                    return new Command.CompleteTask(task, number, answer);
                })));
    }
}
