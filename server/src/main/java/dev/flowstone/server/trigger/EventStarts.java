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
    private static final System.Logger LOG = System.getLogger(EventStarts.class.getName());

    /** Between attempts while a shard moves. */
    private static final List<Duration> PAUSES =
            List.of(Duration.ofMillis(100), Duration.ofMillis(400), Duration.ofMillis(1_500));

    /** For all attempts together, once they have begun. */
    private static final Duration BUDGET = Duration.ofSeconds(10);

    /** What another node refuses with that may be otherwise soon. */
    private static final Set<String> FOR_NOW = Set.of(
            ProblemCode.BUSY.name(),
            ProblemCode.UNAVAILABLE.name(),
            ProblemCode.QUOTA_EXCEEDED.name(),
            ProblemCode.RATE_LIMITED.name(),
            ProblemCode.SIGNAL_BUFFER_FULL.name(),
            ProblemCode.SUSPENDED.name());

    private static final String NOT_KEPT = "; this call has as much kept already as one may: send the event again";

    private static final Set<String> BUSY = Set.of(ProblemCode.BUSY.name(), ProblemCode.UNAVAILABLE.name());

    private final TriggerDesk desk;
    private final Launcher launcher;
    private final LostArrivals lost;
    private final RemoteStarts elsewhere;
    private final Clock clock;
    private final SilentNodes silent = new SilentNodes(System::nanoTime);
    private volatile boolean ended;

    public EventStarts(TriggerDesk desk, Launcher launcher, LostArrivals lost, RemoteStarts elsewhere, Clock clock) {
        this.desk = requireNonNull(desk);
        this.launcher = requireNonNull(launcher);
        this.lost = requireNonNull(lost);
        this.elsewhere = requireNonNull(elsewhere);
        this.clock = requireNonNull(clock);
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
     * @param letsIn asked before anything is started
     * @param mayKeep asked before it is kept as a dead letter
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
    public Result takeOwn(Trigger trigger, String delivery, JsonObject event, EventChain chain)
            throws JournalException {
        return take(
                new Taking(trigger, arrival(trigger, delivery), event, chain, () -> true, () -> true, Sender.ENGINE));
    }

    @Override
    public boolean keepOwn(Trigger trigger, String delivery, JsonObject event, EventChain chain, Throwable why) {
        Arrival arrival = arrival(trigger, delivery);
        String text = String.valueOf(why.getMessage());
        return lost.keep(arrival, Launcher.requestId(arrival), event, chain.correlation(), DeadReason.EXHAUSTED, text);
    }

    @Override
    public boolean keepsNothing() {
        return lost.isOff();
    }

    private Arrival arrival(Trigger trigger, String delivery) {
        return Arrival.ofEvent(trigger.key(), delivery, clock.now());
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
        boolean _ = desk.claim(taking.arrival());
        Result result;
        try {
            result = taking.chain().isTooLong() ? tooLong() : attempts(taking);
        } catch (JournalException.BadData e) {
            result = Result.refused(ProblemCode.INVALID_REQUEST.name(), "something in it can't be stored");
        }
        desk.settle(taking.arrival(), result);
        return result;
    }

    /** What a node that stops can't start isn't kept any more: whoever comes next takes it, or its sender sends it again. */
    void end() {
        ended = true;
    }

    /** Whether the same may be taken soon. */
    static boolean isForNow(Result result) {
        return result.outcome() == Outcome.REFUSED
                && FOR_NOW.contains(result.code().orElse(""));
    }

    private static Result tooLong() {
        return Result.refused(
                ProblemCode.LIMIT_EXCEEDED.name(),
                EventChain.MOST + " executions have started each other by events up to this one, and no more do");
    }

    private Result attempts(Taking taking) throws JournalException {
        long began = System.nanoTime();
        for (int attempt = 0; ; attempt++) {
            Launched launched = launch(taking);
            checkKept(launched, taking);
            Optional<Member> owner = owner(launched);
            boolean waits = owner.filter(silent::contains).isEmpty();
            Result result = waits ? elsewhere(launched, taking).orElseGet(launched::result) : launched.result();
            String code = result.code().orElse("");
            if (!isForNow(result)) {
                return result;
            }
            boolean isBusy = BUSY.contains(code);
            if (ended && isBusy) {
                throw new JournalException.Unavailable("the server is stopping");
            }
            boolean isSpent = attempt == PAUSES.size() || System.nanoTime() - began >= BUDGET.toNanos();
            if (isSpent && isBusy) {
                owner.ifPresent(silent::add);
            }
            if (isSpent || !isBusy || !waits) {
                return kept(taking, result);
            }
            pause(PAUSES.get(attempt));
        }
    }

    private Launched launch(Taking taking) throws JournalException {
        try {
            return launcher.attempt(
                    taking.trigger(), taking.arrival(), taking.event(), taking.correlation(), taking.letsIn());
        } catch (RuntimeException e) {
            return lost(taking, e);
        }
    }

    private Launched.Lost lost(Taking taking, RuntimeException error) {
        if (taking.mayKeep().getAsBoolean()) {
            return launcher.lost(taking.arrival(), taking.event(), taking.correlation(), error);
        }
        LOG.log(Level.ERROR, "trigger " + taking.arrival().trigger().id() + ": what came can't be started", error);
        return new Launched.Lost(false);
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
            return reply.isEmpty()
                    ? Optional.empty()
                    : Optional.of(told(reply.get(), RemoteStarts.result(reply.get()), taking));
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
                : Optional.of(told(reply.get(), RemoteStarts.signaled(reply.get(), way.orElseThrow()), taking));
    }

    /** What fails there, or answers what nobody understands, is as what fails here. */
    private Result told(Reply answer, Result result, Taking taking) throws JournalException {
        String code = result.code().orElse("");
        boolean isFault = result.outcome() == Outcome.REFUSED
                && !FOR_NOW.contains(code)
                && (answer.status() >= ProblemCode.INTERNAL.status() || code.isEmpty());
        if (!isFault) {
            return result;
        }
        String failed = "it failed at another node: " + result.detail().orElse("");
        Launched.Lost kept = lost(taking, new IllegalStateException(failed));
        checkKept(kept, taking);
        return kept.result();
    }

    private void checkKept(Launched launched, Taking taking) throws JournalException {
        if (launched instanceof Launched.Lost(boolean kept)
                && !kept
                && taking.sender() == Sender.ENGINE
                && !lost.isOff()) {
            throw notKept();
        }
    }

    private static JournalException notKept() {
        return new JournalException.Unavailable("it can't be started, and it can't be kept as a dead letter");
    }

    private Result kept(Taking taking, Result result) throws JournalException {
        String code = result.code().orElse("");
        boolean mayKeep = taking.mayKeep().getAsBoolean();
        boolean kept = mayKeep
                && lost.keep(
                        taking.arrival(),
                        Launcher.requestId(taking.arrival()),
                        taking.event(),
                        taking.correlation(),
                        DeadReason.EXHAUSTED,
                        code + ": " + result.detail().orElse(""));
        if (!kept && taking.sender() == Sender.ENGINE && (!lost.isOff() || BUSY.contains(code))) {
            throw notKept();
        }
        String more = kept ? "; the event is kept and tried again" : mayKeep ? "" : NOT_KEPT;
        return Result.refused(code, result.detail().orElse("") + more);
    }

    private static void pause(Duration time) throws JournalException {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException.Unavailable("the server is stopping", e);
        }
    }
}
