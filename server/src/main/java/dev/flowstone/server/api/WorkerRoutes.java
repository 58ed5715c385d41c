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
import dev.flowstone.server.api.doc.WorkerDocs;
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
    private static final String ERROR = "error";
    private static final String ERROR_CLASS = "errorClass";
    private static final String RETRY_AFTER = "retryAfterSeconds";
    private static final String SKIPPED = "skipped";
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
                Route.post(TASK + "complete", Scope.TASKS_WORK, WorkerDocs.COMPLETE, BodyRule.REQUIRED, this::complete),
                Route.post(TASK + "fail", Scope.TASKS_WORK, WorkerDocs.FAIL, BodyRule.REQUIRED, this::fail));
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
        Fields body = call.fields().only(Set.of(ATTEMPT, ERROR_CLASS, ERROR, RETRY_AFTER));
        int attempt = attempt(body);
        Fields error = body.object(ERROR).orElseThrow(() -> body.missing(ERROR));
        return answer(call, attempt, failed(body, error));
    }

    private static TaskResult failed(Fields body, Fields told) throws ProblemException {
        FailureClass failure =
                body.meaning(ERROR_CLASS, NAME, WorkerRoutes::failure).orElse(FailureClass.RETRYABLE);
        Fields error = told.only(Set.of("code", "message", "details"));
        Optional<Fields> details = error.object("details");
        TaskError why = new TaskError(
                error.requiredText("code", NAME),
                error.requiredProse("message", PROSE),
                details.map(Fields::json).orElse(JsonObject.EMPTY));
        Optional<Duration> wait = body.number(RETRY_AFTER, 0, WEEK).map(Duration::ofSeconds);
        return new TaskResult.Failed(failure, why, wait);
    }

    /** How one of many attempts ended: by an {@code error}, by a reason to have {@code skipped} it, else by its {@code output}. */
    TaskOutcome outcome(Fields task) throws ProblemException {
        Fields body = task.only(Set.of(
                "executionId",
                "activation",
                ATTEMPT,
                RemoteTaskRoutes.LEASE_NAME,
                "output",
                LinkRoutes.LINKS,
                SKIPPED,
                ERROR_CLASS,
                ERROR,
                RETRY_AFTER));
        Optional<Fields> error = body.object(ERROR);
        Optional<String> skipped = body.prose(SKIPPED, PROSE);
        boolean ok =
                body.value("output").isPresent() || body.value(LinkRoutes.LINKS).isPresent();
        if ((error.isPresent() ? 1 : 0) + (skipped.isPresent() ? 1 : 0) + (ok ? 1 : 0) > 1) {
            throw body.wrong("output", "an attempt ends in one way: by an output, an error, or skipped", "send one");
        }
        if (error.isEmpty()
                && (body.value(ERROR_CLASS).isPresent()
                        || body.value(RETRY_AFTER).isPresent())) {
            throw body.missing(ERROR);
        }
        if (error.isPresent()) {
            return outcomes.of(failed(body, error.get()));
        }
        if (skipped.isPresent()) {
            return outcomes.of(new TaskResult.Skipped(skipped.get()));
        }
        return outcomes.of(new TaskResult.Ok(body.value("output").orElse(JsonObject.EMPTY), LinkRoutes.results(body)));
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
                Answers.execution(call),
                new Command.CompleteTask(Answers.activation(call), attempt, outcome.answer()),
                outcome.payloads());
        return RunCalls.reply(
                done,
                JsonObject.builder()
                        .put("activation", Answers.activation(call).toString())
                        .put(ATTEMPT, attempt));
    }
}
