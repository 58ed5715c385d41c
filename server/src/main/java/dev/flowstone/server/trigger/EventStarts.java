package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Result.Outcome;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.Reply;
import dev.flowstone.triggers.event.EventChain;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Starts what events start, wherever its shard is: claimed, launched, settled. What can't be started now, though it may later, is kept
 * as a dead letter and tried again, so that one trigger holds up no other. Thread-safe; blocks.
 */
public final class EventStarts implements OwnEvents {
    /** Between attempts while a shard moves. */
    private static final List<Duration> PAUSES =
            List.of(Duration.ofMillis(100), Duration.ofMillis(400), Duration.ofMillis(1_500));

    /** For all attempts together, once they have begun. */
    private static final Duration BUDGET = Duration.ofSeconds(10);

    /** Who is told to stay away for longer needn't come again before it is kept. */
    private static final Duration LONGEST = PAUSES.stream().reduce(Duration.ZERO, Duration::plus);

    private static final String KEPT = "; the event is kept and tried again";
    private static final String PERHAPS = ": perhaps something was started";

    private static final String NOT_KEPT = "; this call has as much kept already as one may: send the event again";

    private static final Set<String> BUSY = Set.of(ProblemCode.BUSY.name(), ProblemCode.UNAVAILABLE.name());

    private static final System.Logger LOG = System.getLogger(EventStarts.class.getName());

    private final DeliveryLog deliveries;
    private final Here here;
    private final LostArrivals lost;
    private final RemoteStarts elsewhere;
    private final Clock clock;
    private final Rest rest;
    private final Silent<String> silent;
    private volatile boolean ended;

    public EventStarts(TriggerDesk desk, Launcher launcher, LostArrivals lost, RemoteStarts elsewhere, Clock clock) {
        this(desk, launcher::attempt, lost, elsewhere, clock, Rest.SLEEP);
    }

    /** @param rest between attempts */
    EventStarts(DeliveryLog deliveries, Here here, LostArrivals lost, RemoteStarts elsewhere, Clock clock, Rest rest) {
        this.deliveries = requireNonNull(deliveries);
        this.here = requireNonNull(here);
        this.lost = requireNonNull(lost);
        this.elsewhere = requireNonNull(elsewhere);
        this.clock = requireNonNull(clock);
        this.rest = requireNonNull(rest);
        this.silent = new Silent<>(rest::nanos);
    }

    /** Starts at this node: {@link Launcher#attempt}. */
    @FunctionalInterface
    interface Here {
        Launched launch(Trigger trigger, Arrival arrival, JsonValue payload, String correlation, BooleanSupplier letsIn)
                throws JournalException;
    }

    /** Of whom nobody sends it again, and who does. */
    private enum Sender {
        ENGINE,
        OUTSIDE
    }

    /**
     * Takes one event that was sent for one trigger that wants it.
     *
     * @param trigger as it is now
     * @param delivery the same for the same event, and for no other
     * @param event a CloudEvent, which becomes the execution's {@code trigger}
     * @param chain that the execution would be the end of
     * @param letsIn asked before anything is started; whom it keeps out is refused, and sends it again
     * @param mayKeep asked before it is kept as a dead letter; what may not be is refused, and sent again
     * @throws JournalException if something is neither started nor kept, though it is to be: it is to be sent again
     */
    public Result take(
            Trigger trigger,
            String delivery,
            JsonObject event,
            EventChain chain,
            BooleanSupplier letsIn,
            BooleanSupplier mayKeep)
            throws JournalException {
        return take(new Taking(trigger, arrival(trigger, delivery), event, chain, letsIn, mayKeep, Sender.OUTSIDE));
    }

    @Override
    public Arrival arrival(Trigger trigger, String delivery) {
        return Arrival.ofEvent(trigger.key(), delivery, clock.now());
    }

    @Override
    public Result takeOwn(Trigger trigger, Arrival arrival, JsonObject event, EventChain chain)
            throws JournalException {
        return take(new Taking(trigger, arrival, event, chain, () -> true, () -> true, Sender.ENGINE));
    }

    @Override
    public boolean keepOwn(Arrival arrival, JsonObject event, EventChain chain, Throwable why) {
        String text = String.valueOf(why.getMessage());
        boolean kept =
                lost.keep(arrival, Launcher.requestId(arrival), event, chain.correlation(), DeadReason.EXHAUSTED, text);
        if (kept) {
            ProblemCode code = why instanceof JournalException ? ProblemCode.UNAVAILABLE : ProblemCode.INTERNAL;
            deliveries.settle(arrival, Result.refused(code.name(), "it can't be started" + KEPT));
        }
        return kept;
    }

    @Override
    public boolean keepsNothing() {
        return lost.isOff();
    }

    /** One event for one trigger. */
    private record Taking(
            Trigger trigger,
            Arrival arrival,
            JsonObject event,
            EventChain chain,
            BooleanSupplier letsIn,
            BooleanSupplier mayKeep,
            Sender sender) {
        String correlation() {
            return chain.correlation();
        }
    }

    private Result take(Taking taking) throws JournalException {
        // Events aren't signed: what comes again meets the execution that there is.
        boolean _ = deliveries.claim(taking.arrival());
        Result result = Result.refused(ProblemCode.INTERNAL.name(), "a fault of ours" + PERHAPS);
        try {
            result = taking.chain().isTooLong() ? tooLong() : attempts(taking);
        } catch (JournalException.BadData e) {
            result = Result.refused(ProblemCode.INVALID_REQUEST.name(), "something in it can't be stored");
        } catch (JournalException e) {
            result = Result.refused(
                    ProblemCode.UNAVAILABLE.name(), "it could be neither started nor kept now" + PERHAPS);
            throw e;
        } finally {
            deliveries.settle(taking.arrival(), result);
        }
        return result;
    }

    /** The same goes for what is sent: its sender sends it again. */
    @Override
    public void end() {
        ended = true;
    }

    /** Whether the same may be taken soon. */
    static boolean isForNow(Result result) {
        return result.outcome() == Outcome.REFUSED
                && RemoteStarts.FOR_NOW.contains(result.code().orElse(""));
    }

    private static Result tooLong() {
        return Result.refused(
                ProblemCode.LIMIT_EXCEEDED.name(),
                EventChain.MOST + " executions have started each other by events up to this one, and no more do");
    }

    private Result attempts(Taking taking) throws JournalException {
        long began = rest.nanos();
        for (int attempt = 0; ; attempt++) {
            Launched launched;
            try {
                launched = here.launch(
                        taking.trigger(), taking.arrival(), taking.event(), taking.correlation(), taking.letsIn());
            } catch (RuntimeException e) {
                return failed(taking, e);
            }
            Optional<String> owner = owner(launched).map(Member::name);
            boolean asks = owner.filter(silent::contains).isEmpty();
            Result result = asks ? elsewhere(launched, taking).orElseGet(launched::result) : launched.result();
            String code = result.code().orElse("");
            if (!isForNow(result)) {
                return result;
            }
            if (taking.sender() == Sender.OUTSIDE && code.equals(ProblemCode.RATE_LIMITED.name())) {
                return Result.refused(code, result.detail().orElse("") + ": send the event again later");
            }
            boolean isBusy = BUSY.contains(code);
            if (ended && isBusy) {
                throw stopping();
            }
            boolean isSpent = attempt == PAUSES.size() || rest.nanos() - began >= BUDGET.toNanos();
            if (isSpent && isBusy) {
                owner.ifPresent(silent::add);
            }
            boolean waits = asks && launched.retryAfter().compareTo(LONGEST) <= 0;
            if (isSpent || !isBusy || !waits) {
                return kept(taking, result);
            }
            pause(PAUSES.get(attempt));
        }
    }

    /** The node that has its shard, if that is another one. */
    private static Optional<Member> owner(Launched launched) {
        return launched instanceof Launched.Asked(String _, Starts.Outcome.Answered(StartAnswer.Busy busy))
                ? busy.owner()
                : launched.elsewhere().map(Launched.Way::owner);
    }

    private Optional<Result> elsewhere(Launched launched, Taking taking) throws JournalException {
        if (launched instanceof Launched.Asked(String requestId, Starts.Outcome.Answered(StartAnswer.Busy busy))) {
            Optional<Reply> reply = busy.owner()
                    .flatMap(there ->
                            elsewhere.start(there, taking.trigger(), requestId, taking.event(), taking.correlation()));
            return reply.isEmpty() ? Optional.empty() : Optional.of(told(RemoteStarts.result(reply.get()), taking));
        }
        Optional<Launched.Way> way = launched.elsewhere();
        Optional<Reply> reply = way.flatMap(it -> elsewhere.askForSignal(
                it,
                taking.trigger(),
                taking.arrival(),
                taking.event(),
                taking.correlation(),
                RemoteStarts.SHORT_PATIENCE));
        return reply.isEmpty()
                ? Optional.empty()
                : Optional.of(told(RemoteStarts.signaled(reply.get(), way.orElseThrow()), taking));
    }

    /** What fails there, or answers what nobody understands, is as what fails here. */
    private Result told(Result result, Taking taking) throws JournalException {
        if (!RemoteStarts.isFault(result)) {
            return result;
        }
        String failed = "it failed at another node: " + result.detail().orElse("");
        return failed(taking, new IllegalStateException(failed));
    }

    private Result failed(Taking taking, RuntimeException why) throws JournalException {
        LOG.log(Level.ERROR, "trigger " + taking.trigger().key().id() + ": what came can't be started", why);
        if (!taking.mayKeep().getAsBoolean()) {
            return Result.refused(ProblemCode.INTERNAL.name(), "a fault of ours" + NOT_KEPT);
        }
        Arrival arrival = taking.arrival();
        boolean kept = lost.keep(arrival, Launcher.requestId(arrival), taking.event(), taking.correlation(), why);
        if (!kept && !lost.isOff()) {
            throw notKept();
        }
        return new Launched.Lost(kept).result();
    }

    private static JournalException notKept() {
        return new JournalException.Unavailable("it can't be started, and it can't be kept as a dead letter");
    }

    private Result kept(Taking taking, Result result) throws JournalException {
        String code = result.code().orElse("");
        if (!taking.mayKeep().getAsBoolean()) {
            return Result.refused(code, result.detail().orElse("") + NOT_KEPT);
        }
        boolean kept = lost.keep(
                taking.arrival(),
                Launcher.requestId(taking.arrival()),
                taking.event(),
                taking.correlation(),
                DeadReason.EXHAUSTED,
                code + ": " + result.detail().orElse(""));
        if (!kept && (!lost.isOff() || BUSY.contains(code))) {
            throw notKept();
        }
        return Result.refused(code, result.detail().orElse("") + (kept ? KEPT : ""));
    }

    private void pause(Duration time) throws JournalException {
        try {
            rest.rest(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopping();
        }
    }

    private static JournalException stopping() {
        return new JournalException.Unavailable("the server is stopping");
    }
}
