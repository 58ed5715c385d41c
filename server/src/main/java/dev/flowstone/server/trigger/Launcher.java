package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.start.RequestSlot;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.triggers.condition.Activation;
import dev.flowstone.triggers.event.EventSignal;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Starts what triggers start, whatever brought it: through the door of all starts, in the trigger's name, under a request id of the
 * arrival's, so that its repetition meets the execution that there is. Thread-safe; blocks.
 */
public final class Launcher {
    private static final System.Logger LOG = System.getLogger(Launcher.class.getName());
    private static final String ACTOR = "trigger";
    private static final Pattern RESERVED = Pattern.compile("trigger(-[a-z]+)?:[0-9a-f-]{36}:.*");

    private final Activation activation;
    private final Starts starts;
    private final SignalSender signals;
    private final LostArrivals lost;
    private final SilentShards silent;

    public Launcher(
            Activation activation, Starts starts, SignalSender signals, LostArrivals lost, SilentShards silent) {
        this.activation = requireNonNull(activation);
        this.starts = requireNonNull(starts);
        this.signals = requireNonNull(signals);
        this.lost = requireNonNull(lost);
        this.silent = requireNonNull(silent);
    }

    /** As the executions' starter. */
    public static Actor actor(Trigger trigger) {
        return new Actor(ACTOR, trigger.key().id().toString());
    }

    /** Whether only what came for a trigger is called so: who took such a name in advance would be what the trigger's next one meets. */
    public static boolean isReserved(String requestId, Actor caller) {
        return !caller.kind().equals(ACTOR) && RESERVED.matcher(requestId).matches();
    }

    /** The same for each repetition of an arrival, and for no other. */
    public static String requestId(Arrival arrival) {
        String way = arrival.source() == TriggerKind.MANUAL ? "trigger-fire:" : "trigger:";
        return way + arrival.trigger().id() + ":" + arrival.delivery();
    }

    /**
     * Starts it, if the trigger fires and its condition holds. What fails by nobody's fault whom an answer would help is kept as a dead
     * letter.
     *
     * @param trigger as it is now
     * @param payload becomes the execution's {@code trigger}
     * @param letsIn asked before anything is started
     */
    public Launched launch(
            Trigger trigger, Arrival arrival, JsonValue payload, String correlation, BooleanSupplier letsIn)
            throws JournalException {
        try {
            return attempt(trigger, arrival, payload, correlation, letsIn);
        } catch (RuntimeException e) {
            return lost(arrival, payload, correlation, e);
        }
    }

    /** Keeps what can't be started, whichever node has found that. */
    public Launched.Lost lost(Arrival arrival, JsonValue payload, String correlation, RuntimeException error) {
        LOG.log(Level.ERROR, "trigger " + arrival.trigger().id() + ": what came can't be started", error);
        return new Launched.Lost(lost.keep(arrival, requestId(arrival), payload, correlation, error));
    }

    /** What an earlier attempt of the same has started, whatever became of the trigger since; nothing is started. */
    public Optional<Launched> before(Trigger trigger, Arrival arrival) throws JournalException {
        String requestId = requestId(arrival);
        return starts.before(trigger.key().tenant(), trigger.target().workflow(), requestId)
                .map(answer -> new Launched.Asked(requestId, new Starts.Outcome.Answered(answer)));
    }

    /** The same, of something that fails as it does. */
    Launched attempt(Trigger trigger, Arrival arrival, JsonValue payload, String correlation, BooleanSupplier letsIn)
            throws JournalException {
        if (!trigger.enabled()) {
            return new Launched.Off();
        }
        Trigger.Target target = trigger.target();
        if (target.status() == WorkflowStatus.DRAFT) {
            return new Launched.Closed(target);
        }
        return switch (activation.verdict(trigger.condition(), payload)) {
            case Activation.Verdict.Admitted() -> act(trigger, arrival, payload, correlation, letsIn);
            case Activation.Verdict.Ignored() ->
                target.isOpen()
                        ? new Launched.Ignored("the trigger's activation condition is false")
                        : new Launched.Closed(target);
            case Activation.Verdict.Failed(String error) -> new Launched.Untold(error);
        };
    }

    private Launched act(
            Trigger trigger, Arrival arrival, JsonValue payload, String correlation, BooleanSupplier letsIn)
            throws JournalException {
        Optional<EventSignal> signal = EventSignal.of(trigger.config());
        if (signal.isEmpty()) {
            return start(trigger, arrival, payload, correlation, letsIn);
        }
        return trigger.target().isOpen()
                ? signals.send(trigger, arrival, payload, correlation, signal.get())
                : new Launched.Closed(trigger.target());
    }

    private Launched start(
            Trigger trigger, Arrival arrival, JsonValue payload, String correlation, BooleanSupplier letsIn)
            throws JournalException {
        String requestId = requestId(arrival);
        TenantId tenant = trigger.key().tenant();
        Starts.Wish wish = new Starts.Wish(
                tenant,
                trigger.target().workflow(),
                false,
                Optional.of(requestId),
                Map.of(Starts.TRIGGER, payload, Starts.SPEC, JsonObject.EMPTY),
                actor(trigger),
                correlation,
                Requested.NOTHING,
                Optional.empty());
        return Launched.asked(
                requestId,
                silent.<Starts.Outcome, JournalException>ask(
                        RequestSlot.of(tenant, requestId),
                        new Starts.Outcome.Answered(Starts.UNANSWERED),
                        new Starts.Outcome.Answered(new StartAnswer.Busy(SilentShards.REASON, SilentShards.PAUSE)),
                        () -> starts.start(wish, letsIn)));
    }
}
