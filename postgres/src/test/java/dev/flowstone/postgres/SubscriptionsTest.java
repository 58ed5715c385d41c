package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException.StaleEpoch;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.SinkAddress;
import dev.flowstone.engine.subscription.StreamCursor;
import dev.flowstone.engine.subscription.StreamCursor.Blocked;
import dev.flowstone.engine.subscription.StreamCursor.Failure;
import dev.flowstone.engine.subscription.Subscription;
import dev.flowstone.engine.subscription.Subscription.State;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionName;
import dev.flowstone.engine.subscription.SubscriptionWork.Lag;
import dev.flowstone.engine.subscription.Subscriptions;
import dev.flowstone.engine.subscription.Subscriptions.Change;
import dev.flowstone.engine.subscription.Subscriptions.Deed;
import dev.flowstone.engine.subscription.Subscriptions.Done;
import dev.flowstone.engine.subscription.Subscriptions.Standing;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Subscriptions and their cursors: whose they are, and who may move them. */
final class SubscriptionsTest extends PostgresTest {
    private static final SubscriptionKey CRM = new SubscriptionKey(Moves.ACME, new SubscriptionName("crm"));
    private static final Wish WISH = new Wish(
            new SinkAddress.Webhook("crm"), Set.of("RunCompleted", "RunFailed"), Set.of(new WorkflowId("order")));
    private static final Deed ANN = new Deed(new Actor("user", "ann"), "because");

    private Subscriptions all() {
        return opened().subscriptions();
    }

    private Standing put(Lease lease, FeedPlace begin) throws Exception {
        assertEquals(
                new Change.Made(true),
                all().put(CRM, WISH, Map.of(lease.shard().stream(), begin), OptionalLong.empty(), ANN));
        return all().find(CRM).orElseThrow();
    }

    private static StreamCursor at(StreamCursor cursor, FeedPlace place) {
        return new StreamCursor(
                cursor.stream(),
                place,
                cursor.turn(),
                cursor.delivered() + 1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static StreamCursor failing(StreamCursor cursor, String event, FeedPlace behind) {
        Instant now = Instant.parse("2026-11-28T12:00:00Z");
        return new StreamCursor(
                cursor.stream(),
                cursor.place(),
                cursor.turn(),
                cursor.delivered(),
                Optional.of(new Failure(now, "the endpoint answered 500")),
                Optional.of(now),
                Optional.of(new Blocked(event, behind)));
    }

    private StreamCursor cursor() throws Exception {
        return all().find(CRM).orElseThrow().cursors().getFirst();
    }

    private State state() throws Exception {
        return all().find(CRM).orElseThrow().subscription().state();
    }

    @Test
    void whatWasPutIsThereWithWhoDidIt() throws Exception {
        Standing made = put(lease(0), new FeedPlace(3, 2));
        Subscription it = made.subscription();

        assertEquals(WISH, it.wish());
        assertEquals(State.ACTIVE, it.state());
        assertEquals(1, it.revision());
        assertEquals("user:ann", it.created().by().toString());
        assertEquals(new FeedPlace(3, 2), made.cursors().getFirst().place());
        Wish other = new Wish(new SinkAddress.Kafka("flowstone.orders"), Set.of(), Set.of());
        assertEquals(new Change.OtherRevision(1), all().put(CRM, other, Map.of(), OptionalLong.of(7), ANN));
        assertEquals(new Change.Made(false), all().put(CRM, other, Map.of(), OptionalLong.of(1), ANN));
        Standing changed = all().find(CRM).orElseThrow();
        assertEquals(other, changed.subscription().wish());
        assertEquals(2, changed.subscription().revision());
        assertEquals(new FeedPlace(3, 2), changed.cursors().getFirst().place(), "where it was");
        assertEquals(
                List.of("put", "put"),
                all().deeds(CRM, 10).stream().map(Done::what).toList());
        assertEquals(List.of(changed), all().list(Moves.ACME, Optional.empty(), 10));
        assertEquals(List.of(), all().list(Moves.ACME, Optional.of(CRM.name()), 10));
        assertEquals(List.of(), all().list(Moves.OTHER, Optional.empty(), 10));
        assertEquals(Optional.empty(), all().find(new SubscriptionKey(Moves.OTHER, CRM.name())));
    }

    @Test
    void aTenantHasAHundredAtMost() throws Exception {
        for (int i = 0; i < Subscriptions.MOST; i++) {
            SubscriptionKey one = new SubscriptionKey(Moves.ACME, new SubscriptionName("s" + i));
            assertEquals(new Change.Made(true), all().put(one, WISH, Map.of(), OptionalLong.empty(), ANN));
        }

        assertEquals(new Change.TooMany(), all().put(CRM, WISH, Map.of(), OptionalLong.empty(), ANN));
        SubscriptionKey others = new SubscriptionKey(Moves.OTHER, CRM.name());
        assertEquals(new Change.Made(true), all().put(others, WISH, Map.of(), OptionalLong.empty(), ANN));
        SubscriptionKey first = new SubscriptionKey(Moves.ACME, new SubscriptionName("s0"));
        assertEquals(new Change.Made(false), all().put(first, WISH, Map.of(), OptionalLong.empty(), ANN));
    }

    @Test
    void onlyTheShardsOwnerMovesACursor() throws Exception {
        Lease before = lease(0);
        put(before, FeedPlace.BEGIN);
        StreamCursor cursor = cursor();
        assertTrue(all().work().advance(before, CRM, at(cursor, new FeedPlace(5, 1))));
        assertEquals(new FeedPlace(5, 1), cursor().place());
        assertEquals(1, cursor().delivered());

        Lease now = lease(0);

        assertThrows(StaleEpoch.class, () -> all().work().advance(before, CRM, at(cursor, new FeedPlace(9, 0))));
        assertThrows(StaleEpoch.class, () -> all().work().stop(before, CRM, 1, State.BROKEN, "stale"));
        assertEquals(new FeedPlace(5, 1), cursor().place());
        assertEquals(State.ACTIVE, state());
        assertTrue(all().work().advance(now, CRM, at(cursor(), new FeedPlace(6, 0))));
    }

    @Test
    void whoSendsDoesNotMoveBackWhatSomebodyPutElsewhere() throws Exception {
        Lease lease = lease(0);
        put(lease, new FeedPlace(5, 0));
        StreamCursor read = cursor();

        assertEquals(
                new Change.Made(false),
                all().move(CRM, Map.of(read.stream(), new FeedPlace(2, 0)), "there", OptionalLong.empty(), ANN));

        assertFalse(all().work().advance(lease, CRM, at(read, new FeedPlace(6, 0))));
        assertEquals(new FeedPlace(2, 0), cursor().place());
        assertTrue(all().work().advance(lease, CRM, at(cursor(), new FeedPlace(3, 0))));
        all().put(CRM, WISH, Map.of(), OptionalLong.empty(), ANN);
        assertFalse(all().work().advance(lease, CRM, at(read, new FeedPlace(6, 0))), "it sent by another wish");
    }

    @Test
    void oneThatIsMadeAnewIsAnotherOne() throws Exception {
        Lease lease = lease(0);
        put(lease, new FeedPlace(5, 0));
        StreamCursor read = cursor();
        assertEquals(new Change.Made(false), all().remove(CRM, OptionalLong.empty(), ANN));
        assertEquals(Optional.empty(), all().find(CRM));
        assertEquals(new Change.Unknown(), all().remove(CRM, OptionalLong.empty(), ANN));
        assertFalse(all().work().advance(lease, CRM, at(read, new FeedPlace(6, 0))));
        put(lease, FeedPlace.BEGIN);

        assertFalse(all().work().advance(lease, CRM, at(read, new FeedPlace(6, 0))));
        assertEquals(
                List.of("put", "remove", "put"),
                all().deeds(CRM, 10).stream().map(Done::what).toList());
    }

    @Test
    void aBrokenOneGoesOnWhenItIsResumedMovedOrItsEventSkipped() throws Exception {
        Lease lease = lease(0);
        Standing made = put(lease, new FeedPlace(5, 0));
        StreamCursor failing = failing(cursor(), "run/7", new FeedPlace(5, 3));
        assertTrue(all().work().advance(lease, CRM, failing));
        assertEquals(failing, cursor());
        all().work().stop(lease, CRM, made.subscription().revision() + 1, State.BROKEN, "of another revision");
        assertEquals(State.ACTIVE, state());
        all().work().stop(lease, CRM, made.subscription().revision(), State.BROKEN, "DELIVERY_FAILED: 500");
        assertEquals(State.BROKEN, state());
        assertEquals("break", all().deeds(CRM, 1).getFirst().what());
        assertEquals(Actor.ENGINE, all().deeds(CRM, 1).getFirst().deed().actor());

        assertEquals(new Change.Made(false), all().skip(CRM, Optional.empty(), OptionalLong.empty(), ANN));

        assertEquals(State.ACTIVE, state());
        assertEquals(new FeedPlace(5, 3), cursor().place());
        assertEquals(Optional.empty(), cursor().failure());
        Done skipped = all().deeds(CRM, 1).getFirst();
        assertEquals(
                "skip run/7 user:ann",
                skipped.what() + " " + skipped.detail() + " " + skipped.deed().actor());
        assertInstanceOf(Change.NotBlocked.class, all().skip(CRM, Optional.empty(), OptionalLong.empty(), ANN));

        Subscription again = all().find(CRM).orElseThrow().subscription();
        all().work().stop(lease, CRM, again.revision(), State.BROKEN, "again");
        all().resume(CRM, OptionalLong.empty(), ANN);
        assertEquals(State.ACTIVE, state());
        all().pause(CRM, OptionalLong.empty(), ANN);
        all().move(CRM, Map.of(lease.shard().stream(), FeedPlace.BEGIN), "beginning", OptionalLong.empty(), ANN);
        assertEquals(State.PAUSED, state(), "what people have paused stays so");
    }

    @Test
    void itTellsHowFarItIsBehind() throws Exception {
        Lease lease = lease(0);
        for (int i = 0; i < 5; i++) {
            journal().commit(Moves.commit(lease, List.of(Moves.plain(Moves.run(lease), 0))));
        }
        put(lease, new FeedPlace(2, 0));

        Lag lag = all().work().lags(Optional.of(CRM.tenant()), 1).getFirst();
        assertEquals(3, lag.rows());
        assertTrue(lag.oldest().isPresent());
        assertEquals(List.of(lag), all().work().lags(Optional.empty(), 10));
        assertEquals(List.of(), all().work().lags(Optional.of(Moves.OTHER), 10));
        assertEquals(Optional.of(lag), all().work().lag(CRM));
        assertEquals(Optional.empty(), all().work().lag(new SubscriptionKey(Moves.OTHER, CRM.name())));
        assertTrue(all().work().advance(lease, CRM, at(cursor(), new FeedPlace(5, 0))));
        Lag none = all().work().lags(Optional.empty(), 10).getFirst();
        assertEquals(0, none.rows());
        assertEquals(Optional.empty(), none.oldest());
        assertEquals(
                List.of(CRM),
                all().work().assigned(List.of(lease.shard().stream())).stream()
                        .map(one -> one.subscription().key())
                        .toList());
    }

    @Test
    void aTimeIsFoundInTheFeed() throws Exception {
        Lease lease = lease(0);
        for (int i = 0; i < 9; i++) {
            journal().commit(Moves.commit(lease, List.of(Moves.plain(Moves.run(lease), 0))));
        }
        int stream = lease.shard().stream();
        admin(
                "UPDATE flowstone.feed SET committed_at = '2026-11-01T00:00:00Z'::timestamptz + number * interval '1 hour'",
                "DELETE FROM flowstone.feed WHERE number < 3");
        for (int hour = 0; hour < 12; hour++) {
            Instant at = Instant.parse("2026-11-01T00:00:00Z").plusSeconds(3_600L * hour);
            long before = Math.clamp(hour - 1L, 2, 9);
            assertEquals(
                    Map.of(stream, FeedPlace.after(before), 999, FeedPlace.BEGIN),
                    all().before(List.of(stream, 999), at),
                    at::toString);
        }
    }

    private List<SubscriptionKey> assigned(Lease lease) throws Exception {
        return all().work().assigned(List.of(lease.shard().stream())).stream()
                .map(one -> one.subscription().key())
                .toList();
    }

    @Test
    void workIsOnlyWhatIsActive() throws Exception {
        Lease lease = lease(0);
        put(lease, FeedPlace.BEGIN);
        assertEquals(List.of(CRM), assigned(lease));
        all().pause(CRM, OptionalLong.empty(), ANN);
        assertEquals(List.of(), assigned(lease));
        all().resume(CRM, OptionalLong.empty(), ANN);
        assertEquals(List.of(CRM), assigned(lease));
        assertEquals(List.of(), all().work().broken(10));
        long revision = all().find(CRM).orElseThrow().subscription().revision();
        all().work().stop(lease, CRM, revision, State.BROKEN, "DELIVERY_FAILED: 500");
        assertEquals(List.of(), assigned(lease));
        assertEquals(List.of(CRM), all().work().broken(10));
        assertEquals(List.of(), all().work().broken(0));
    }

    @Test
    void oneThatCannotBeReadStopsNobodyElse() throws Exception {
        Lease lease = lease(0);
        put(lease, FeedPlace.BEGIN);
        SubscriptionKey other = new SubscriptionKey(Moves.OTHER, CRM.name());
        all().put(other, WISH, Map.of(lease.shard().stream(), FeedPlace.BEGIN), OptionalLong.empty(), ANN);

        admin("UPDATE flowstone.subscriptions SET changed_by = '' WHERE tenant = '" + Moves.ACME + "'");

        assertEquals(List.of(other), assigned(lease));
    }

    /** The event that is passed over is of one stream; the others aren't to break the subscription again at once. */
    @Test
    void whatIsSkippedGivesAllStreamsTheirTimeAgain() throws Exception {
        Lease one = lease(0);
        Lease two = lease(1);
        Map<Integer, FeedPlace> begin =
                Map.of(one.shard().stream(), FeedPlace.BEGIN, two.shard().stream(), FeedPlace.BEGIN);
        all().put(CRM, WISH, begin, OptionalLong.empty(), ANN);
        List<StreamCursor> before = all().find(CRM).orElseThrow().cursors();
        for (StreamCursor cursor : before) {
            Lease lease = cursor.stream() == one.shard().stream() ? one : two;
            assertTrue(
                    all().work().advance(lease, CRM, failing(cursor, "run/" + cursor.stream(), new FeedPlace(0, 1))));
        }

        assertEquals(
                new Change.Made(false),
                all().skip(CRM, Optional.of("run/" + one.shard().stream()), OptionalLong.empty(), ANN));

        List<StreamCursor> after = all().find(CRM).orElseThrow().cursors();
        assertTrue(after.stream().allMatch(cursor -> cursor.failingSince().isEmpty()), after::toString);
        assertEquals(
                before.stream().map(cursor -> cursor.turn() + 1).toList(),
                after.stream().map(StreamCursor::turn).toList(),
                "who works on them now would go by the time before");
        assertEquals(
                List.of("run/" + two.shard().stream()),
                after.stream()
                        .flatMap(cursor -> cursor.blocked().stream())
                        .map(Blocked::event)
                        .toList(),
                "what else is held up is so still");
    }
}
