package dev.flowstone.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.Forwarded;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.Method;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.trigger.Launched;
import dev.flowstone.server.trigger.Launcher;
import dev.flowstone.server.trigger.TriggerDesk;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is sent for a trigger and starts something: whatever its sender is told is written down with the delivery. */
final class TriggerStart {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final TriggerDesk desk;
    private final Launcher launcher;
    private final StartReplies replies;
    private final Limits limits;
    private final Forwarder forwarder;

    TriggerStart(TriggerDesk desk, Launcher launcher, StartReplies replies, Limits limits, Forwarder forwarder) {
        this.desk = requireNonNull(desk);
        this.launcher = requireNonNull(launcher);
        this.replies = requireNonNull(replies);
        this.limits = requireNonNull(limits);
        this.forwarder = requireNonNull(forwarder);
    }

    /** Reads what came: it may be no JSON. */
    @FunctionalInterface
    interface Payload {
        Came read() throws ProblemException;
    }

    /**
     * What came.
     *
     * @param document in which it stands
     * @param pointer to it there
     */
    record Came(JsonValue value, JsonParser.Located document, String pointer) {
        Came {
            requireNonNull(value);
            requireNonNull(document);
            requireNonNull(pointer);
        }

        Fault fault(dev.flowstone.dialect.fault.Fault it) {
            String at = pointer + it.pointer();
            JsonParser.Place place = document.place(at);
            return new Fault(it.code().id(), at, place.line(), place.column(), it.message(), it.remedy());
        }
    }

    /** An answer, and what it says of the delivery. */
    private record Ended(Reply reply, Result result) {}

    /** Starts what it starts, once the delivery was claimed. */
    Reply start(Call call, Trigger trigger, Arrival arrival, Payload payload)
            throws ProblemException, JournalException {
        try {
            Ended ended = launch(call, trigger, arrival, payload.read());
            desk.settle(arrival, ended.result());
            return ended.reply();
        } catch (ProblemException e) {
            desk.settle(
                    arrival,
                    Result.refused(e.problem().code().name(), e.problem().detail()));
            throw e;
        } catch (JournalException.BadData e) {
            desk.settle(arrival, Result.refused(ProblemCode.INVALID_REQUEST.name(), "something in it can't be stored"));
            throw e;
        }
    }

    private Ended launch(Call call, Trigger trigger, Arrival arrival, Came came)
            throws ProblemException, JournalException {
        StartCount count = new StartCount(
                call.tally(), limits, trigger.key().tenant(), trigger.target().workflow());
        Launched launched = launcher.launch(trigger, arrival, came.value(), call.correlation(), count);
        if (launched instanceof Launched.Asked(String _, Starts.Outcome.NotNow())) {
            count.check();
        }
        return switch (launched) {
            case Launched.Off() -> throw off(trigger);
            case Launched.Closed(Trigger.Target target) ->
                throw StartReplies.notExecutable(target.workflow(), target.status());
            case Launched.Ignored(String reason) -> new Ended(Reply.json(200, ignored(reason)), launched.result());
            case Launched.Untold(String error) ->
                throw Problem.of(ProblemCode.WFENG005, Launched.untold(error)).exception();
            case Launched.Lost(boolean kept) ->
                throw Problem.of(ProblemCode.INTERNAL, Launched.lost(kept)).exception();
            case Launched.Asked asked -> asked(call, trigger, asked, came);
        };
    }

    private static ProblemException off(Trigger trigger) {
        String id = trigger.key().id().toString();
        return Problem.of(
                        ProblemCode.TRIGGER_DISABLED,
                        "trigger " + id + " is turned off: POST " + TriggerRoutes.ROOT + "/" + id + "/enable")
                .exception();
    }

    private static JsonObject ignored(String reason) {
        return JsonObject.builder()
                .put("status", "ignored")
                .put("reason", reason)
                .build();
    }

    private Ended asked(Call call, Trigger trigger, Launched.Asked asked, Came came)
            throws ProblemException, JournalException {
        TenantId tenant = trigger.key().tenant();
        WorkflowId workflow = trigger.target().workflow();
        try {
            Reply reply = replies.reply(
                    new StartReplies.Asked(tenant, workflow, Optional.of(asked.requestId())),
                    asked.outcome(),
                    came::fault);
            return new Ended(reply, asked.result());
        } catch (ProblemException e) {
            Optional<Member> owner = e.problem().owner();
            // The call itself isn't sent on: it is signed for this address, and claimed here.
            return owner.flatMap(
                            there -> forwarder.forward(there, execute(call, trigger, asked.requestId(), came.value())))
                    .map(reply -> new Ended(reply, result(reply)))
                    .orElseThrow(() -> e.problem().elsewhere(Optional.empty()).exception());
        }
    }

    private static Forwarded execute(Call call, Trigger trigger, String requestId, JsonValue payload) {
        JsonObject body = JsonObject.builder()
                .put("requestId", requestId)
                .put("trigger", payload)
                .build();
        Caller caller = new Caller(
                Caller.Standing.TENANT,
                trigger.key().tenant(),
                Launcher.actor(trigger),
                Set.of(),
                Set.of(Scope.PUBLIC, Scope.WORKFLOWS_EXECUTE));
        return new Forwarded(
                Method.POST,
                "/api/v1/workflows/" + segment(trigger.target().workflow().value()) + "/execute",
                Map.of(),
                CanonicalJson.exact(body),
                caller,
                call.correlation(),
                PATIENCE);
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /** What another node has answered. */
    private static Result result(Reply reply) {
        JsonObject told = object(reply);
        return switch (reply.status()) {
            case 202 -> Result.started(RunId.parse(text(told, "executionId")));
            case 200 -> Result.repeated(RunId.parse(text(told, "executionId")));
            default -> Result.refused(text(told, "code"), text(told, "detail"));
        };
    }

    private static JsonObject object(Reply reply) {
        try {
            return JsonParser.parse(reply.body()) instanceof JsonObject object ? object : JsonObject.EMPTY;
        } catch (JsonSyntaxException e) {
            return JsonObject.EMPTY;
        }
    }

    private static String text(JsonObject json, String member) {
        return json.get(member) instanceof JsonString(String text) ? text : "";
    }
}
