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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Starts what events start, wherever its shard is: claimed, launched, settled. What can't be started now, though it may later, is kept
 * as a dead letter and tried again, so that one trigger holds up no other. Thread-safe; blocks.
 */
public final class EventStarts {
    /** Between attempts while a shard moves. */
    private static final List<Duration> PAUSES =
            List.of(Duration.ofMillis(100), Duration.ofMillis(400), Duration.ofMillis(1_500));

    /** What another node refuses with that may be otherwise soon. */
    private static final Set<String> FOR_NOW = Set.of(
            ProblemCode.BUSY.name(),
            ProblemCode.UNAVAILABLE.name(),
            ProblemCode.QUOTA_EXCEEDED.name(),
            ProblemCode.RATE_LIMITED.name(),
            ProblemCode.SIGNAL_BUFFER_FULL.name(),
            ProblemCode.SUSPENDED.name());

    private static final Set<String> BUSY = Set.of(ProblemCode.BUSY.name(), ProblemCode.UNAVAILABLE.name());

    private final TriggerDesk desk;
    private final Launcher launcher;
    private final LostArrivals lost;
    private final RemoteStarts elsewhere;
    private final Clock clock;
    private volatile boolean ended;

    public EventStarts(TriggerDesk desk, Launcher launcher, LostArrivals lost, RemoteStarts elsewhere, Clock clock) {
        this.desk = requireNonNull(desk);
        this.launcher = requireNonNull(launcher);
        this.lost = requireNonNull(lost);
        this.elsewhere = requireNonNull(elsewhere);
        this.clock = requireNonNull(clock);
    }

    /**
     * Takes one event for one trigger that wants it.
     *
     * @param trigger as it is now
     * @param delivery the same for the same event, and for no other
     * @param event a CloudEvent, which becomes the execution's {@code trigger}
     * @param chain that the execution would be the end of
     * @param letsIn asked before anything is started
     */
    public Result take(Trigger trigger, String delivery, JsonObject event, EventChain chain, BooleanSupplier letsIn)
            throws JournalException {
        Arrival arrival = Arrival.ofEvent(trigger.key(), delivery, clock.now());
        // Events aren't signed: what comes again meets the execution that there is.
        boolean _ = desk.claim(arrival);
        Result result;
        try {
            result = chain.isTooLong() ? tooLong() : attempts(trigger, arrival, event, chain.correlation(), letsIn);
        } catch (JournalException.BadData e) {
            result = Result.refused(ProblemCode.INVALID_REQUEST.name(), "something in it can't be stored");
        }
        desk.settle(arrival, result);
        return result;
    }

    /** What a node that stops can't start isn't kept any more: whoever comes next takes it, or its sender sends it again. */
    void end() {
        ended = true;
    }

    private static Result tooLong() {
        return Result.refused(
                ProblemCode.LIMIT_EXCEEDED.name(),
                EventChain.MOST + " executions have started each other by events up to this one, and no more do");
    }

    private Result attempts(
            Trigger trigger, Arrival arrival, JsonObject event, String correlation, BooleanSupplier letsIn)
            throws JournalException {
        for (int attempt = 0; ; attempt++) {
            Launched launched = launcher.launch(trigger, arrival, event, correlation, letsIn);
            Result result =
                    elsewhere(launched, trigger, arrival, event, correlation).orElseGet(launched::result);
            String code = result.code().orElse("");
            if (result.outcome() != Outcome.REFUSED || !FOR_NOW.contains(code)) {
                return result;
            }
            if (ended && BUSY.contains(code)) {
                throw new JournalException.Unavailable("the server is stopping");
            }
            if (attempt == PAUSES.size() || !BUSY.contains(code)) {
                return kept(arrival, event, correlation, result);
            }
            pause(PAUSES.get(attempt));
        }
    }

    /** At the node that has its shard, if that is another one. */
    private Optional<Result> elsewhere(
            Launched launched, Trigger trigger, Arrival arrival, JsonObject event, String correlation) {
        if (launched instanceof Launched.Asked(String requestId, Starts.Outcome.Answered(StartAnswer.Busy busy))) {
            Optional<Member> owner = busy.owner();
            Optional<Reply> reply =
                    owner.flatMap(there -> elsewhere.start(there, trigger, requestId, event, correlation));
            return reply.map(answer -> told(answer, arrival, event, correlation));
        }
        return launched.elsewhere().flatMap(way -> elsewhere.signal(way, trigger, arrival, event, correlation));
    }

    private Result told(Reply answer, Arrival arrival, JsonObject event, String correlation) {
        Result result = RemoteStarts.result(answer);
        if (answer.status() != ProblemCode.INTERNAL.status()) {
            return result;
        }
        String failed = "it failed at another node: " + result.detail().orElse("");
        return launcher.lost(arrival, event, correlation, new IllegalStateException(failed)).result();
    }

    private Result kept(Arrival arrival, JsonObject event, String correlation, Result result) {
        String why = result.code().orElse("") + ": " + result.detail().orElse("");
        boolean kept = lost.keep(arrival, Launcher.requestId(arrival), event, correlation, DeadReason.EXHAUSTED, why);
        return Result.refused(
                result.code().orElse(""),
                result.detail().orElse("") + (kept ? "; the event is kept and tried again" : ""));
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
