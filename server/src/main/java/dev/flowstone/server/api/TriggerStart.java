package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Requested;
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
import dev.flowstone.server.trigger.TriggerDesk;
import dev.flowstone.triggers.condition.Activation;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a delivery starts: through the door of all starts, in the trigger's name, under a request id of the delivery's, so that its
 * repetition meets the execution that there is. Whatever the sender is told is written down with the delivery.
 */
final class TriggerStart {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String ACTOR = "trigger";

    private final TriggerDesk desk;
    private final Starts starts;
    private final StartReplies replies;
    private final Limits limits;
    private final Forwarder forwarder;

    TriggerStart(TriggerDesk desk, Starts starts, StartReplies replies, Limits limits, Forwarder forwarder) {
        this.desk = requireNonNull(desk);
        this.starts = requireNonNull(starts);
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
            Ended ended = decide(call, trigger, arrival, payload);
            desk.settle(arrival, ended.result());
            return ended.reply();
        } catch (ProblemException e) {
            desk.settle(arrival, Result.refused(e.problem().code().name(), e.problem().detail()));
            throw e;
        }
    }

    private Ended decide(Call call, Trigger trigger, Arrival arrival, Payload payload)
            throws ProblemException, JournalException {
        if (!trigger.enabled()) {
            throw Problem.of(
                            ProblemCode.TRIGGER_DISABLED,
                            "trigger " + trigger.key().id() + " is turned off: POST " + TriggerRoutes.ROOT + "/"
                                    + trigger.key().id() + "/enable")
                    .exception();
        }
        Trigger.Target target = trigger.target();
        if (target.status() == WorkflowStatus.DRAFT) {
            throw StartReplies.notExecutable(target.workflow(), target.status());
        }
        Came came = payload.read();
        return switch (desk.activation().verdict(trigger.condition(), came.value())) {
            case Activation.Verdict.Admitted() -> admitted(call, trigger, arrival, came);
            case Activation.Verdict.Ignored() -> ignored(target);
            case Activation.Verdict.Failed(String error) ->
                throw Problem.of(
                                ProblemCode.WFENG005,
                                "the trigger's activation condition can't be told of what was sent: " + error)
                        .exception();
        };
    }

    private static Ended ignored(Trigger.Target target) throws ProblemException {
        if (!target.isOpen()) {
            throw StartReplies.notExecutable(target.workflow(), target.status());
        }
        String reason = "the trigger's activation condition is false";
        JsonObject told = JsonObject.builder()
                .put("status", "ignored")
                .put("reason", reason)
                .build();
        return new Ended(Reply.json(200, told), Result.ignored(reason));
    }

    private Ended admitted(Call call, Trigger trigger, Arrival arrival, Came came)
            throws ProblemException, JournalException {
        TenantId tenant = trigger.key().tenant();
        WorkflowId workflow = trigger.target().workflow();
        Optional<String> requestId = Optional.of(requestId(arrival));
        StartCount count = new StartCount(limits, tenant, workflow);
        Starts.Outcome outcome = starts.start(
                new Starts.Wish(
                        tenant,
                        workflow,
                        false,
                        requestId,
                        Map.of(Starts.TRIGGER, came.value(), Starts.SPEC, JsonObject.EMPTY),
                        actor(trigger),
                        call.correlation(),
                        Requested.NOTHING,
                        Optional.empty()),
                count);
        count.check();
        try {
            Reply reply = replies.reply(
                    new StartReplies.Asked(tenant, workflow, requestId), outcome, came::fault);
            return new Ended(count.on(reply), result(outcome));
        } catch (ProblemException e) {
            Optional<Member> owner = e.problem().owner();
            // The call itself isn't sent on: it is signed for this address, and claimed here.
            return owner.flatMap(there -> forwarder.forward(there, execute(call, trigger, arrival, came)))
                    .map(reply -> new Ended(reply, result(reply)))
                    .orElseThrow(() -> e.problem().elsewhere(Optional.empty()).exception());
        }
    }

    /** The same for each repetition of a delivery, and for no other. */
    private static String requestId(Arrival arrival) {
        String way = arrival.source() == TriggerKind.MANUAL ? "trigger-fire:" : "trigger:";
        return way + arrival.trigger().id() + ":" + arrival.delivery();
    }

    private static Actor actor(Trigger trigger) {
        return new Actor(ACTOR, trigger.key().id().toString());
    }

    private static Forwarded execute(Call call, Trigger trigger, Arrival arrival, Came came) {
        JsonObject body = JsonObject.builder()
                .put("requestId", requestId(arrival))
                .put("trigger", came.value())
                .build();
        Caller caller = new Caller(
                Caller.Standing.TENANT,
                trigger.key().tenant(),
                actor(trigger),
                Set.of(),
                Set.of(Scope.PUBLIC, Scope.WORKFLOWS_EXECUTE));
        return new Forwarded(
                Method.POST,
                "/api/v1/workflows/" + trigger.target().workflow() + "/execute",
                Map.of(),
                CanonicalJson.exact(body),
                caller,
                call.correlation(),
                PATIENCE);
    }

    private static Result result(Starts.Outcome outcome) {
        if (outcome instanceof Starts.Outcome.Answered(StartAnswer.Started(RunId run, long _))) {
            return Result.started(run);
        }
        if (outcome instanceof Starts.Outcome.Answered(StartAnswer.Existing(RunId run))) {
            return Result.repeated(run);
        }
        throw new IllegalStateException("a start was answered as if it had an execution: " + outcome);
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
