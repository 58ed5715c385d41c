package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerKind;
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
    private static final String TRACE = "traceparent";

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

    /**
     * Starts what it starts, once the delivery was claimed.
     *
     * @param again whether an earlier attempt of it may have started something, which it meets then whatever became of the trigger
     */
    Reply start(Call call, Trigger trigger, Arrival arrival, boolean again, Payload payload)
            throws ProblemException, JournalException {
        try {
            Ended ended = launch(call, trigger, arrival, again, payload.read());
            desk.settle(arrival, ended.result());
            return ended.reply();
        } catch (ProblemException e) {
            refused(arrival, e.problem().code(), e.problem().detail());
            throw e;
        } catch (JournalException.BadData e) {
            refused(arrival, ProblemCode.INVALID_REQUEST, "something in it can't be stored");
            throw e;
        } catch (JournalException e) {
            refused(arrival, ProblemCode.UNAVAILABLE, "the database did not answer: perhaps something was started");
            throw e;
        } catch (RuntimeException e) {
            refused(arrival, ProblemCode.INTERNAL, "a fault of ours: perhaps something was started");
            throw e;
        }
    }

    private void refused(Arrival arrival, ProblemCode code, String detail) {
        desk.settle(arrival, Result.refused(code.name(), detail));
    }

    private Ended launch(Call call, Trigger trigger, Arrival arrival, boolean again, Came came)
            throws ProblemException, JournalException {
        StartCount count = new StartCount(
                call.tally(), limits, trigger.key().tenant(), trigger.target().workflow());
        Launched launched = launcher.launch(trigger, arrival, came.value(), call.correlation(), count);
        if (launched instanceof Launched.Asked(String _, Starts.Outcome.NotNow())) {
            count.check();
        }
        if (again && launched.isAsTheTriggerIs()) {
            launched = launcher.before(trigger, arrival).orElse(launched);
        }
        return switch (launched) {
            case Launched.Off() -> throw off(trigger, arrival);
            case Launched.Closed(Trigger.Target target) -> throw closed(target, arrival);
            case Launched.Ignored(String reason) -> new Ended(Reply.json(200, ignored(reason)), launched.result());
            case Launched.Untold(String error) ->
                throw Problem.of(ProblemCode.WFENG005, Launched.untold(error)).exception();
            case Launched.Signaled(String type, String key) ->
                new Ended(Reply.json(200, signaled(type, key)), launched.result());
            case Launched.Unsent unsent -> unsent(call, trigger, arrival, came, unsent);
            case Launched.Lost lost -> throw lost(lost);
            case Launched.Asked asked -> asked(call, trigger, arrival, asked, came);
        };
    }

    private static ProblemException lost(Launched.Lost lost) {
        return Problem.of(ProblemCode.INTERNAL, Launched.lost(lost.kept())).exception();
    }

    /** Who sends from outside isn't told how to manage what is here. */
    private static ProblemException closed(Trigger.Target target, Arrival arrival) {
        return arrival.source() == TriggerKind.WEBHOOK
                ? Problem.of(ProblemCode.NOT_EXECUTABLE, "the workflow takes no executions now")
                        .exception()
                : StartReplies.notExecutable(target.workflow(), target.status());
    }

    private static ProblemException off(Trigger trigger, Arrival arrival) {
        String id = trigger.key().id().toString();
        String remedy =
                arrival.source() == TriggerKind.WEBHOOK ? "" : ": POST " + TriggerRoutes.ROOT + "/" + id + "/enable";
        return Problem.of(ProblemCode.TRIGGER_DISABLED, "trigger " + id + " is turned off" + remedy)
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
        if (there.filter(RemoteStarts::isFault).isPresent()) {
            throw lost(call, arrival, came, there.get());
        }
        throw there.map(it -> refusedThere(it.code().orElse(""), it.detail().orElse("")))
                .orElseGet(() -> refusedHere(unsent));
    }

    private static ProblemException refusedHere(Launched.Unsent unsent) {
        return switch (unsent.code()) {
            case "BUSY" -> Problem.of(ProblemCode.BUSY, unsent.reason()).exception();
            case "LIMIT_EXCEEDED" ->
                Problem.of(ProblemCode.LIMIT_EXCEEDED, unsent.reason()).exception();
            default -> Refusals.exception(unsent.code(), unsent.reason());
        };
    }

    /** What was refused at the node that has the signal's shard is told as it was there. */
    static ProblemException refusedThere(String code, String detail) {
        return code.equals(ProblemCode.SIGNAL_BUFFER_FULL.name())
                ? Refusals.exception(code, detail)
                : Problem.of(ProblemCode.of(code).orElse(ProblemCode.BUSY), detail)
                        .exception();
    }

    private static JsonObject ignored(String reason) {
        return JsonObject.builder()
                .put("status", "ignored")
                .put("reason", reason)
                .build();
    }

    private Ended asked(Call call, Trigger trigger, Arrival arrival, Launched.Asked asked, Came came)
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
            // The call itself isn't sent on: it is claimed here.
            Optional<Reply> there = owner.flatMap(node -> elsewhere.start(
                    node,
                    trigger,
                    asked.requestId(),
                    came.value(),
                    call.correlation(),
                    call.headers().first(TRACE)));
            if (there.isEmpty()) {
                throw e.problem().elsewhere(Optional.empty()).exception();
            }
            Result result = RemoteStarts.result(there.get());
            if (RemoteStarts.isFault(result)) {
                throw lost(call, arrival, came, result);
            }
            return new Ended(there.get(), result);
        }
    }

    private ProblemException lost(Call call, Arrival arrival, Came came, Result there) {
        String failed = "it failed at another node: " + there.detail().orElse("");
        return lost(launcher.lost(arrival, came.value(), call.correlation(), new IllegalStateException(failed)));
    }
}
