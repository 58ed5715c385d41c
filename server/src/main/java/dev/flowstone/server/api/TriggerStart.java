package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.trigger.Launched;
import dev.flowstone.server.trigger.Launcher;
import dev.flowstone.server.trigger.RemoteStarts;
import dev.flowstone.server.trigger.TriggerDesk;
import java.util.Optional;

/** What is sent for a trigger and starts something: whatever its sender is told is written down with the delivery. */
final class TriggerStart {
    private final TriggerDesk desk;
    private final Launcher launcher;
    private final StartReplies replies;
    private final Limits limits;
    private final RemoteStarts elsewhere;

    TriggerStart(TriggerDesk desk, Launcher launcher, StartReplies replies, Limits limits, RemoteStarts elsewhere) {
        this.desk = requireNonNull(desk);
        this.launcher = requireNonNull(launcher);
        this.replies = requireNonNull(replies);
        this.limits = requireNonNull(limits);
        this.elsewhere = requireNonNull(elsewhere);
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
            case Launched.Signaled(String type, String key) ->
                new Ended(Reply.json(200, signaled(type, key)), launched.result());
            case Launched.Unsent unsent -> unsent(call, trigger, arrival, came, unsent);
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

    private static JsonObject signaled(String type, String key) {
        return JsonObject.builder()
                .put("status", "signaled")
                .put("type", type)
                .put("key", key)
                .build();
    }

    private Ended unsent(Call call, Trigger trigger, Arrival arrival, Came came, Launched.Unsent unsent)
            throws ProblemException {
        Optional<Result> there =
                unsent.way().flatMap(way -> elsewhere.signal(way, trigger, arrival, came.value(), call.correlation()));
        if (there.filter(it -> it.outcome() == Result.Outcome.SIGNALED).isPresent()) {
            Launched.Way way = unsent.way().orElseThrow();
            return new Ended(Reply.json(200, signaled(way.type(), way.key())), there.get());
        }
        throw switch (unsent.code()) {
            case "BUSY" -> Problem.of(ProblemCode.BUSY, unsent.reason()).exception();
            case "LIMIT_EXCEEDED" ->
                Problem.of(ProblemCode.LIMIT_EXCEEDED, unsent.reason()).exception();
            default -> Refusals.exception(unsent.code(), unsent.reason());
        };
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
            return owner.flatMap(there ->
                            elsewhere.start(there, trigger, asked.requestId(), came.value(), call.correlation()))
                    .map(reply -> new Ended(reply, RemoteStarts.result(reply)))
                    .orElseThrow(() -> e.problem().elsewhere(Optional.empty()).exception());
        }
    }
}
