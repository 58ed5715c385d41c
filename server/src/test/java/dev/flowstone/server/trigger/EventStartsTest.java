package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Result.Outcome;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.execution.Logs;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.http.Reply;
import dev.flowstone.triggers.event.EventChain;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What an event starts is started, kept or refused, and whoever may send it again hears which. */
final class EventStartsTest {
    private static final Member TWO = new Member("two", "two:1", "1");
    private static final Starts.Outcome BUSY = answered(new StartAnswer.Busy("it moves", Duration.ofSeconds(1)));
    private static final Starts.Outcome STARTED = answered(new StartAnswer.Started(Logs.run(7), 1));

    private final Trigger trigger = SomeTriggers.trigger();
    private final EventChain chain = EventChain.of("c");
    private final Deliveries deliveries = new Deliveries();
    private final FakeLetters letters = new FakeLetters();
    private final Time time = new Time();
    private final List<Launched> launched = new ArrayList<>();
    private final List<Member> asked = new ArrayList<>();
    private Optional<Reply> reply = Optional.empty();

    /** What is answered here; the last for ever. */
    private final List<Starts.Outcome> here = new ArrayList<>();

    private EventStarts starts = starts(true);

    private static Starts.Outcome answered(StartAnswer answer) {
        return new Starts.Outcome.Answered(answer);
    }

    private EventStarts starts(boolean keeps) {
        return new EventStarts(
                deliveries,
                (_, arrival, _, _, _) -> launch(arrival),
                letters.arrivals(keeps),
                new RemoteStarts((owner, _) -> {
                    asked.add(owner);
                    return reply;
                }),
                () -> Instant.EPOCH,
                time);
    }

    private Launched launch(Arrival arrival) throws JournalException {
        Starts.Outcome outcome = here.size() > 1 ? here.removeFirst() : here.getFirst();
        Launched one = Launched.asked(Launcher.requestId(arrival), outcome);
        launched.add(one);
        return one;
    }

    /** Deliveries by id, and what was said of each last. */
    private static final class Deliveries implements DeliveryLog {
        private final Map<UUID, Optional<Result>> rows = new ConcurrentHashMap<>();

        @Override
        public boolean claim(Arrival arrival) {
            rows.putIfAbsent(arrival.id(), Optional.empty());
            return true;
        }

        @Override
        public void settle(Arrival arrival, Result result) {
            rows.put(arrival.id(), Optional.of(result));
        }

        Result only() {
            assertEquals(1, rows.size());
            return rows.values().iterator().next().orElseThrow();
        }
    }

    /** Passes while somebody rests. */
    private static final class Time implements Rest {
        private long nanos;
        private int rests;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void rest(Duration time) {
            rests++;
            nanos += time.toNanos();
        }
    }

    private Result own() throws JournalException {
        return starts.takeOwn(trigger, starts.arrival(trigger, "e"), JsonObject.EMPTY, chain);
    }

    private Result sent() throws JournalException {
        return sent(true);
    }

    private Result sent(boolean mayKeep) throws JournalException {
        return starts.take(trigger, "e", JsonObject.EMPTY, chain, () -> true, () -> mayKeep);
    }

    private static String code(Result result) {
        return result.code().orElse("");
    }

    private static Reply problem(int status, String code) {
        return Reply.json(
                status,
                JsonObject.builder()
                        .put("code", code)
                        .put("detail", "as the test says")
                        .build());
    }

    private void busyElsewhere() {
        here.add(answered(new StartAnswer.Busy("it is there", Duration.ofSeconds(1), Optional.of(TWO))));
    }

    @Test
    void aShardThatMovesIsWaitedFor() throws Exception {
        here.addAll(List.of(BUSY, BUSY, STARTED));
        assertEquals(Outcome.STARTED, own().outcome());
        assertEquals(2, time.rests);
        assertEquals(Outcome.STARTED, deliveries.only().outcome());
        assertEquals(List.of(), letters.kept);
    }

    @Test
    void whatIsBusyForLongIsKept() throws Exception {
        here.add(BUSY);
        Result kept = own();
        assertEquals("BUSY", code(kept));
        assertTrue(kept.detail().orElse("").contains("is kept and tried again"), kept::toString);
        assertEquals(4, launched.size());
        assertEquals(1, letters.kept.size());
        assertEquals(kept, deliveries.only());
    }

    /** Else who sends much would have it kept, and started later, beyond the budget. */
    @Test
    void whatAWorkflowsBudgetKeepsOutIsItsSendersAlone() throws Exception {
        here.add(new Starts.Outcome.NotNow());
        for (int i = 0; i < 5; i++) {
            Result refused = sent();
            assertEquals("RATE_LIMITED", code(refused));
            assertTrue(refused.detail().orElse("").contains("send the event again"), refused::toString);
        }
        assertEquals(List.of(), letters.kept);
        assertEquals(5, launched.size());
    }

    @Test
    void beyondTheQuotaItIsKeptAtOnce() throws Exception {
        here.add(answered(new StartAnswer.OverQuota("too much", Duration.ofSeconds(1))));
        assertEquals("QUOTA_EXCEEDED", code(sent()));
        assertEquals(1, letters.kept.size());
        assertEquals(0, time.rests);
    }

    @Test
    void whatACallMayNotHaveKeptIsItsSendersAlone() throws Exception {
        here.add(answered(new StartAnswer.OverQuota("too much", Duration.ofSeconds(1))));
        Result refused = sent(false);
        assertEquals("QUOTA_EXCEEDED", code(refused));
        assertTrue(refused.detail().orElse("").contains("send the event again"), refused::toString);
        here.set(0, answered(new StartAnswer.Refused("ENGINE_ERROR", "a bug")));
        Result failed = sent(false);
        assertEquals("INTERNAL", code(failed));
        assertTrue(failed.detail().orElse("").contains("send the event again"), failed::toString);
        assertEquals(List.of(), letters.kept);
    }

    @Test
    void aFaultHereIsKept() throws Exception {
        here.add(answered(new StartAnswer.Refused("ENGINE_ERROR", "a bug")));
        assertEquals("INTERNAL", code(own()));
        assertEquals("INTERNAL", code(deliveries.only()));
        assertEquals("INTERNAL", code(sent()));
        assertEquals(2, letters.kept.size());
    }

    /** Who sends it hears 503 and not 202, and sends it again. */
    @Test
    void whatIsNeitherStartedNorKeptIsNotTaken() {
        here.add(BUSY);
        letters.isBroken = true;
        assertThrows(JournalException.Unavailable.class, this::own);
        assertEquals("UNAVAILABLE", code(deliveries.only()));
        deliveries.rows.clear();
        assertThrows(JournalException.Unavailable.class, this::sent);
        assertEquals("UNAVAILABLE", code(deliveries.only()));
    }

    @Test
    void whereNothingIsKeptBusyShardsAreWaitedForAndTheRestIsLost() throws Exception {
        starts = starts(false);
        here.add(BUSY);
        assertThrows(JournalException.Unavailable.class, this::own);
        assertThrows(JournalException.Unavailable.class, this::sent);
        here.set(0, answered(new StartAnswer.OverQuota("too much", Duration.ofSeconds(1))));
        assertEquals("QUOTA_EXCEEDED", code(own()));
        assertEquals("QUOTA_EXCEEDED", code(sent()));
        assertEquals(List.of(), letters.kept);
    }

    /** Which a shard that hangs at this node is, too. */
    @Test
    void whoIsToStayAwayForLongIsKeptAtOnce() throws Exception {
        here.add(answered(new StartAnswer.Busy(SilentShards.REASON, SilentShards.PAUSE)));
        assertEquals("BUSY", code(own()));
        assertEquals(0, time.rests);
        assertEquals(1, letters.kept.size());
    }

    @Test
    void aNodeThatIsSilentIsNotAskedByTheNextOne() throws Exception {
        busyElsewhere();
        reply = Optional.of(problem(503, "UNAVAILABLE"));
        own();
        assertEquals(4, asked.size());
        own();
        assertEquals(4, asked.size(), "it is kept at once");
        assertEquals(2, letters.kept.size());
        time.nanos += Silent.MEMORY.toNanos();
        reply = Optional.of(Reply.json(
                202,
                JsonObject.builder().put("executionId", Logs.run(7).toString()).build()));
        assertEquals(Result.started(Logs.run(7)), own());
        assertEquals(List.of(TWO, TWO, TWO, TWO, TWO), asked);
    }

    @Test
    void allAttemptsTogetherHaveABudget() throws Exception {
        busyElsewhere();
        starts = new EventStarts(
                deliveries,
                (_, arrival, _, _, _) -> launch(arrival),
                letters.arrivals(true),
                new RemoteStarts((owner, _) -> {
                    asked.add(owner);
                    time.nanos += RemoteStarts.SHORT_PATIENCE.toNanos();
                    return Optional.of(problem(503, "UNAVAILABLE"));
                }),
                () -> Instant.EPOCH,
                time);
        assertEquals("UNAVAILABLE", code(own()));
        assertEquals(1, asked.size());
        assertEquals(1, letters.kept.size());
    }

    /** Of two nodes that don't let each other in, too: it says nothing of the event. */
    @Test
    void whatFailsAtAnotherNodeIsKeptAsWhatFailsHere() throws Exception {
        busyElsewhere();
        for (Reply failed : List.of(
                problem(500, "INTERNAL"),
                problem(401, "UNAUTHENTICATED"),
                problem(403, "FORBIDDEN"),
                Reply.text("text/html", "<h1>hello</h1>"),
                problem(502, ""))) {
            letters.kept.clear();
            reply = Optional.of(failed);
            assertEquals("INTERNAL", code(own()));
            assertEquals(1, letters.kept.size());
            assertTrue(letters.kept.getFirst().error().contains("failed at another node"));
        }
        letters.isBroken = true;
        assertThrows(JournalException.Unavailable.class, this::sent);
    }

    @Test
    void whatIsRefusedThereIsRefusedForGood() throws Exception {
        busyElsewhere();
        reply = Optional.of(problem(409, "NOT_EXECUTABLE"));
        assertEquals("NOT_EXECUTABLE", code(own()));
        assertEquals(List.of(), letters.kept);
    }

    @Test
    void aNodeThatStopsKeepsNothingAndItsDeliveryIsNotUnderWay() {
        here.add(BUSY);
        starts.end();
        assertThrows(JournalException.Unavailable.class, this::own);
        assertEquals(1, launched.size());
        assertEquals(List.of(), letters.kept);
        assertEquals("UNAVAILABLE", code(deliveries.only()));
    }

    @Test
    void anAttemptAfterOneThatFailedIsTheSameDelivery() throws Exception {
        here.add(BUSY);
        letters.isBroken = true;
        Arrival arrival = starts.arrival(trigger, "e");
        for (int i = 0; i < 3; i++) {
            assertThrows(
                    JournalException.Unavailable.class,
                    () -> starts.takeOwn(trigger, arrival, JsonObject.EMPTY, chain));
        }
        here.set(0, STARTED);
        starts.takeOwn(trigger, arrival, JsonObject.EMPTY, chain);
        assertEquals(Outcome.STARTED, deliveries.only().outcome());
    }

    @Test
    void aChainThatIsTooLongStartsNothing() throws Exception {
        EventChain longest = chain;
        for (int i = 0; i < EventChain.MOST; i++) {
            longest = longest.next();
        }
        assertFalse(longest.isTooLong());
        Result refused = starts.takeOwn(trigger, starts.arrival(trigger, "e"), JsonObject.EMPTY, longest.next());
        assertEquals("LIMIT_EXCEEDED", code(refused));
        assertEquals(List.of(), launched);
        assertEquals(refused, deliveries.only());
    }

    @Test
    void whatAPageCouldNotTakeIsKeptAndSettled() {
        Arrival arrival = starts.arrival(trigger, "e");
        assertTrue(starts.keepOwn(arrival, JsonObject.EMPTY, chain, new IllegalStateException("a bug")));
        assertEquals("INTERNAL", code(deliveries.only()));
        assertEquals(1, letters.kept.size());
    }
}
