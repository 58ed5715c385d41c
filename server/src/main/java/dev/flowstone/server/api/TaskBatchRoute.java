package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.RemoteName;
import dev.flowstone.engine.task.TaskOutcome;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.WorkerDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How workers end many attempts in one call. Each is judged alone and answered in its place: what is wrong with one is no
 * reason to refuse another. All are asked before any is waited for, so that those of a shard share its commits.
 */
final class TaskBatchRoute {
    private static final System.Logger LOG = System.getLogger(TaskBatchRoute.class.getName());
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Sha256 NO_KEY = Sha256.digest(new byte[0]);

    /** Said of one whose node doesn't answer; to say it again is harmless. */
    private static final JsonValue SILENT =
            refused(Problem.of(ProblemCode.BUSY, "the node that has this execution does not answer now; say it again"));

    private final Engine engine;
    private final WorkerRoutes reader;
    private final Elsewhere elsewhere;

    TaskBatchRoute(Engine engine, WorkerRoutes reader, Elsewhere elsewhere) {
        this.engine = requireNonNull(engine);
        this.reader = requireNonNull(reader);
        this.elsewhere = requireNonNull(elsewhere);
    }

    Route route() {
        return Route.post(
                RemoteTaskRoutes.ROOT + "complete",
                Scope.TASKS_WORK,
                WorkerDocs.COMPLETE_WORK,
                BodyRule.REQUIRED,
                this::complete);
    }

    private Reply complete(Call call) throws ProblemException {
        Fields body = call.fields().only(Set.of(RemoteTaskRoutes.TASKS));
        List<Fields> all = body.objects(RemoteTaskRoutes.TASKS, RemoteTaskRoutes.MOST)
                .orElseThrow(() -> body.missing(RemoteTaskRoutes.TASKS));
        List<JsonValue> answers =
                elsewhere.each(call, all, PATIENCE.plusSeconds(3), SILENT, own -> complete(call, own));
        return Reply.json(
                200,
                JsonObject.builder()
                        .put(RemoteTaskRoutes.TASKS, new JsonArray(answers))
                        .build());
    }

    private List<JsonValue> complete(Call call, List<Fields> all) {
        List<Asked> asked = new ArrayList<>(all.size());
        for (Fields each : all) {
            asked.add(ask(call, each));
        }
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<JsonValue> answers = new ArrayList<>(asked.size());
        for (Asked each : asked) {
            answers.add(json(each, end));
        }
        return answers;
    }

    /** One attempt: what the engine will say of it, or what is wrong with it already. */
    private sealed interface Asked {
        /**
         * Asked.
         *
         * @param success whether it is what an attempt was made for
         */
        record Waiting(CompletableFuture<CallAnswer> answer, boolean success) implements Asked {}

        record Wrong(Problem problem) implements Asked {}
    }

    private Asked ask(Call call, Fields task) {
        try {
            RunId run = Answers.execution(task);
            ActivationId activation = Answers.activation(task);
            int attempt = WorkerRoutes.attempt(task);
            TaskOutcome outcome = reader.outcome(task);
            Optional<String> lease = task.text(RemoteTaskRoutes.LEASE_NAME, RemoteTaskRoutes.NAME);
            RemoteName name = new RemoteName(new RunKey(call.tenant(), run), activation, attempt);
            // A success counts whoever has made it (R12); how another worker's attempt fails is for that one to say.
            if (outcome.answer() instanceof TaskAnswer.Failed
                    && lease.isPresent()
                    && engine.remoteTasks().isAnothers(name, lease.get())) {
                return new Asked.Wrong(Problem.of(ProblemCode.CONFLICT, "the attempt is in another worker's hands"));
            }
            CompletableFuture<CallAnswer> answer = engine.call(new CallRequest(
                    new RunKey(call.tenant(), run),
                    new Command.CompleteTask(activation, attempt, outcome.answer()),
                    outcome.payloads(),
                    call.caller().principal(),
                    Optional.of("scope:" + call.route().scope()),
                    Optional.empty(),
                    NO_KEY,
                    call.correlation()));
            return new Asked.Waiting(answer, !(outcome.answer() instanceof TaskAnswer.Failed));
        } catch (ProblemException e) {
            return new Asked.Wrong(e.problem());
        } catch (RuntimeException e) {
            return new Asked.Wrong(fault(e));
        }
    }

    private static JsonValue json(Asked asked, long end) {
        return switch (asked) {
            case Asked.Wrong(Problem problem) -> refused(problem);
            case Asked.Waiting(CompletableFuture<CallAnswer> answer, boolean success) -> waited(answer, success, end);
        };
    }

    static JsonValue waited(CompletableFuture<CallAnswer> answer, boolean success, long end) {
        try {
            return json(wait(answer, end), success);
        } catch (RuntimeException e) {
            return refused(fault(e));
        }
    }

    /** A fault of ours with one of them, which the log tells more of; the others are answered all the same. */
    private static Problem fault(RuntimeException e) {
        LOG.log(System.Logger.Level.ERROR, "an answer of a worker could not be told", e);
        return Problem.of(ProblemCode.INTERNAL, "a fault of ours; the server's log has the details");
    }

    private static CallAnswer wait(CompletableFuture<CallAnswer> answer, long end) {
        try {
            return answer.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return new CallAnswer.Busy("no answer within " + PATIENCE.toSeconds() + " s", Duration.ofSeconds(1));
        } catch (ExecutionException e) {
            throw new IllegalStateException("a call failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new CallAnswer.Busy("the server is stopping", Duration.ofSeconds(1));
        }
    }

    private static JsonValue json(CallAnswer answer, boolean success) {
        return switch (answer) {
            case CallAnswer.Done(List<EventBody> events, long _, boolean buffered) ->
                state(buffered ? "buffered" : events.isEmpty() ? "unchanged" : "accepted");
            case CallAnswer.Repeated(long _) -> state("unchanged");
            case CallAnswer.Refused(String code, String reason) -> refused(refusal(code, reason, success));
            case CallAnswer.Busy busy ->
                refused(Problem.of(ProblemCode.BUSY, busy.reason()).retryAfter(busy.retryAfter()));
            case CallAnswer.OtherRequest() -> throw new IllegalStateException("a receipt without a key");
        };
    }

    private static Problem refusal(String code, String reason, boolean success) {
        Problem problem = Refusals.exception(code, reason).problem();
        if (success && Refusals.isSetAside(code)) {
            // A server that can read the execution hears of it: what was done is not to be dropped until then. A
            // failure
            // may be: its attempt is made again.
            return Problem.of(ProblemCode.SUSPENDED, "set aside: " + problem.detail());
        }
        // To say it again would change nothing: the execution stands until somebody mends it.
        return Refusals.isBroken(code) ? Problem.of(ProblemCode.WFENG002, problem.detail()) : problem;
    }

    private static JsonValue state(String state) {
        return JsonObject.builder().put("state", state).build();
    }

    private static JsonValue refused(Problem problem) {
        return JsonObject.builder()
                .put("state", "refused")
                .put("status", problem.code().status())
                .put("code", problem.code().name())
                .put("category", problem.code().category())
                .put("detail", problem.detail())
                .build();
    }
}
