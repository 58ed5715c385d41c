package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.mend.Difference;
import dev.flowstone.engine.mend.MendAnswer;
import dev.flowstone.engine.mend.MendRequest;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.api.doc.ControlDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Handler;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What operators do about an execution that stands still. Rebuilding and taking up again change nothing of its history, and may be
 * repeated; failing it is a command like others and stands there.
 */
final class MendRoutes {
    /** Long enough to fold a long run. */
    private static final Duration PATIENCE = Duration.ofSeconds(35);

    private static final int SHOWN = 100;

    private final Engine engine;
    private final RunReader runs;
    private final RunCalls calls;

    MendRoutes(Engine engine, RunReader runs, RunCalls calls) {
        this.engine = requireNonNull(engine);
        this.runs = requireNonNull(runs);
        this.calls = requireNonNull(calls);
    }

    List<Route> routes() {
        return List.of(
                route("rebuild", ControlDocs.REBUILD, call -> mend(call, MendRequest.Act.REBUILD)),
                route("reenqueue", ControlDocs.REENQUEUE, call -> mend(call, MendRequest.Act.REENQUEUE)),
                route(
                        "force-fail",
                        ControlDocs.FORCE_FAIL,
                        call -> calls.ask(call, new ControlCommand.FailRun(reason(call)))));
    }

    private static Route route(String verb, Doc doc, Handler handler) {
        return Route.post(
                ExecutionJson.ROOT + "/{id}/" + verb, Scope.EXECUTIONS_CONTROL, doc, BodyRule.REQUIRED, handler);
    }

    private static String reason(Call call) throws ProblemException {
        return ControlRoutes.reason(call.fields().only(Set.of("reason")));
    }

    private Reply mend(Call call, MendRequest.Act act) throws ProblemException, JournalException {
        RunId run = Answers.execution(call);
        MendRequest request = new MendRequest(
                new RunKey(call.tenant(), run), act, call.caller().principal(), reason(call));
        return switch (wait(request)) {
            case MendAnswer.Mended mended -> reply(run, mended);
            case MendAnswer.Absent() -> throw Answers.absent(runs, call.tenant(), run);
            case MendAnswer.Over(RunStatus status) ->
                throw Problem.of(ProblemCode.WFENG002, "the run is over: " + status)
                        .exception();
            case MendAnswer.Damaged(String reason) ->
                throw Problem.of(
                                ProblemCode.WFENG002,
                                "its log can't be trusted, and nothing was changed: " + reason
                                        + "; look at it with 'flowstone verify " + run + "'")
                        .exception();
            case MendAnswer.Busy(String reason, Duration wait, Optional<Member> owner) ->
                throw Problem.of(ProblemCode.BUSY, reason + "; try again")
                        .retryAfter(wait)
                        .elsewhere(owner)
                        .exception();
        };
    }

    private MendAnswer wait(MendRequest request) {
        try {
            return engine.mend(request).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return new MendAnswer.Busy("no answer within " + PATIENCE.toSeconds() + " s", PATIENCE);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run can't be mended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new MendAnswer.Busy("the server is stopping", Duration.ofSeconds(1));
        }
    }

    private static Reply reply(RunId run, MendAnswer.Mended mended) {
        List<JsonValue> differences = mended.differences().stream()
                .limit(SHOWN)
                .<JsonValue>map(MendRoutes::json)
                .toList();
        JsonObject json = JsonObject.builder()
                .put("executionId", run.toString())
                .put("lastSeq", mended.lastSequence())
                .put("mended", mended.differences().size())
                .put("differences", new JsonArray(differences))
                .put("attemptsHandedOut", mended.handedOut())
                .put("timersDue", mended.timersDue())
                .build();
        return Reply.json(200, json).header(Reply.LAST_SEQ, Long.toString(mended.lastSequence()));
    }

    private static JsonObject json(Difference difference) {
        return JsonObject.builder()
                .put("row", difference.what())
                .put("was", difference.stored())
                .put("is", difference.derived())
                .build();
    }
}
