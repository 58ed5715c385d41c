package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.doc.ControlDocs;
import dev.flowstone.server.execution.ExecutionStatus;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Starts an execution at a recorded point of another one (kernel rule R26), which stays as it is. Repeatable by its
 * Idempotency-Key, in the scope of the other one.
 */
final class ResetRoute {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Engine engine;
    private final RunReader runs;
    private final RunCalls calls;

    ResetRoute(Engine engine, RunReader runs, RunCalls calls) {
        this.engine = requireNonNull(engine);
        this.runs = requireNonNull(runs);
        this.calls = requireNonNull(calls);
    }

    Route route() {
        return Route.post(
                ExecutionJson.ROOT + "/{id}/reset",
                Scope.EXECUTIONS_CONTROL,
                ControlDocs.RESET,
                BodyRule.REQUIRED,
                this::reset);
    }

    private Reply reset(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of("sequence"));
        long sequence = body.count("sequence").orElseThrow(() -> body.missing("sequence"));
        RunId from = calls.row(call).key().run();
        ResetRequest request = new ResetRequest(
                call.tenant(),
                from,
                sequence,
                call.idempotencyKey(),
                call.caller().principal(),
                call.correlation());
        return switch (wait(request)) {
            case StartAnswer.Started(RunId run, long last) -> reply(202, request, run, ExecutionStatus.PENDING, last);
            case StartAnswer.Existing(RunId run) -> existing(call, request, run);
            case StartAnswer.OtherWorkflow(RunId run, WorkflowId workflow) ->
                throw new IllegalStateException("a reset met a start of " + workflow + ", run " + run);
            case StartAnswer.Refused(String code, String reason) -> throw Refusals.exception(code, reason);
            case StartAnswer.OverQuota(String reason, Duration wait) ->
                throw Problem.of(ProblemCode.QUOTA_EXCEEDED, reason)
                        .retryAfter(wait)
                        .exception();
            case StartAnswer.Busy(String reason, Duration wait, Optional<Member> owner) ->
                throw Problem.of(ProblemCode.BUSY, reason + "; try again with the same Idempotency-Key")
                        .retryAfter(wait)
                        .elsewhere(owner)
                        .exception();
        };
    }

    private Reply existing(Call call, ResetRequest request, RunId run) throws JournalException {
        RunRow row = runs.run(call.tenant(), run)
                .orElseThrow(() -> new IllegalStateException("execution " + run + " has a receipt and no row"));
        return reply(200, request, run, ExecutionStatus.of(row.status()), row.lastSequence());
    }

    private static Reply reply(int code, ResetRequest request, RunId run, ExecutionStatus status, long last) {
        String id = run.toString();
        JsonObject json = JsonObject.builder()
                .put("executionId", id)
                .put("status", status.toString())
                .put("statusUrl", ExecutionJson.ROOT + "/" + id)
                .put(
                        "resetFrom",
                        JsonObject.builder()
                                .put("executionId", request.from().toString())
                                .put("sequence", request.sequence())
                                .build())
                .build();
        return Reply.json(code, json)
                .header("Location", ExecutionJson.ROOT + "/" + id)
                .header(Reply.LAST_SEQ, Long.toString(last));
    }

    private StartAnswer wait(ResetRequest request) {
        try {
            return engine.reset(request).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return new StartAnswer.Busy("no answer within " + PATIENCE.toSeconds() + " s", PATIENCE);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a reset failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new StartAnswer.Busy("the server is stopping", Duration.ofSeconds(1));
        }
    }
}
