package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskOutcome;
import dev.flowstone.engine.task.TaskOutcomes;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How a worker outside the engine ends an attempt that was handed out (kernel rules R11, R12). The same answer twice is
 * one answer; another one for what is settled is a conflict.
 */
final class WorkerRoutes {
    private static final String TASK = ExecutionJson.ROOT + "/{id}/tasks/{activation}/";
    static final String ATTEMPT = "attempt";
    private static final int NAME = 200;
    private static final int PROSE = 4_000;
    private static final int WEEK = 7 * 24 * 3_600;

    private final RunCalls calls;
    private final TaskOutcomes outcomes = new TaskOutcomes(TaskConfig.DEFAULT);

    WorkerRoutes(RunCalls calls) {
        this.calls = requireNonNull(calls);
    }

    List<Route> routes() {
        return List.of(
                Route.post(TASK + "complete", Scope.TASKS_WORK, Set.of(), BodyRule.REQUIRED, this::complete),
                Route.post(TASK + "fail", Scope.TASKS_WORK, Set.of(), BodyRule.REQUIRED, this::fail));
    }

    private Reply complete(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(ATTEMPT, "output", LinkRoutes.LINKS));
        int attempt = attempt(body);
        return answer(
                call,
                attempt,
                new TaskResult.Ok(body.value("output").orElse(JsonObject.EMPTY), LinkRoutes.results(body)));
    }

    private Reply fail(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(ATTEMPT, "errorClass", "error", "retryAfterSeconds"));
        int attempt = attempt(body);
        FailureClass failure =
                body.meaning("errorClass", NAME, WorkerRoutes::failure).orElse(FailureClass.RETRYABLE);
        Fields error = body.object("error")
                .orElseThrow(() -> body.missing("error"))
                .only(Set.of("code", "message", "details"));
        Optional<Fields> details = error.object("details");
        TaskError told = new TaskError(
                error.requiredText("code", NAME),
                error.requiredProse("message", PROSE),
                details.map(Fields::json).orElse(JsonObject.EMPTY));
        Optional<Duration> wait = body.number("retryAfterSeconds", 0, WEEK).map(Duration::ofSeconds);
        return answer(call, attempt, new TaskResult.Failed(failure, told, wait));
    }

    static int attempt(Fields body) throws ProblemException {
        return body.number(ATTEMPT, 1, Integer.MAX_VALUE).orElseThrow(() -> body.missing(ATTEMPT));
    }

    private static FailureClass failure(String text) {
        for (FailureClass failure : FailureClass.values()) {
            if (failure.name().toLowerCase(Locale.ROOT).equals(text)) {
                return failure;
            }
        }
        throw new IllegalArgumentException("an error's class is retryable, permanent, policy_denied or external_limit");
    }

    private Reply answer(Call call, int attempt, TaskResult result) throws ProblemException, JournalException {
        TaskOutcome outcome = outcomes.of(result);
        RunCalls.Done done = calls.ask(
                call,
                calls.row(call).key().run(),
                new Command.CompleteTask(Answers.activation(call), attempt, outcome.answer()),
                outcome.payloads());
        return RunCalls.reply(
                done,
                JsonObject.builder()
                        .put("activation", Answers.activation(call).toString())
                        .put(ATTEMPT, attempt));
    }
}
