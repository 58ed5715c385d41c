package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.Feed.Moved;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.subscription.SinkAddress;
import dev.flowstone.engine.subscription.StreamCursor;
import dev.flowstone.engine.subscription.StreamCursor.Blocked;
import dev.flowstone.engine.subscription.StreamCursor.Failure;
import dev.flowstone.engine.subscription.Subscription;
import dev.flowstone.engine.subscription.Subscription.Mark;
import dev.flowstone.engine.subscription.Subscription.State;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionName;
import dev.flowstone.engine.subscription.SubscriptionWork;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.execution.Logs;
import dev.flowstone.server.metric.EventsOutMetrics;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people see of a stream that can't be read. */
final class StreamWorkerTest {
    private static final int STREAM = 1;
    private static final Duration BROKEN_AFTER = Duration.ofHours(1);

    private static final RunId RUN = Logs.run(1);

    private final Ports ports = new InMemoryDatabase(Clock.SYSTEM, 1).ports();
    private final Logs logs = new Logs();
    private final Unreadable feed = new Unreadable();
    private final Recorded work = new Recorded();
    private final FeedHeads heads = new FeedHeads();
    private final Semaphore turns = new Semaphore(1, true);
    private final PageRoom room = new PageRoom(1_000, 1, 100);
    private final Stop stop = new Stop(turns);
    private @Nullable Thread thread;

    /** Has a row that nobody can read, until it is mended. */
    private static final class Unreadable implements Feed {
        private volatile @Nullable Exception fault;
        private volatile List<Moved> moved = List.of();

        @Override
        public List<FeedRow> read(int stream, long after, int limit) throws JournalException {
            Exception now = fault;
            if (now instanceof JournalException e) {
                throw e;
            }
            if (now instanceof RuntimeException e) {
                throw e;
            }
            return List.of(new FeedRow(stream, after + 1, moved));
        }

        @Override
        public Map<Integer, Long> last(Collection<Integer> streams) {
            return Map.of();
        }

        @Override
        public Map<Integer, Long> first(Collection<Integer> streams) {
            return Map.of();
        }
    }

    /** Keeps what is recorded. */
    private static final class Recorded implements SubscriptionWork {
        private final LinkedBlockingQueue<StreamCursor> cursors = new LinkedBlockingQueue<>();
        private final LinkedBlockingQueue<String> stopped = new LinkedBlockingQueue<>();

        @Override
        public List<Assigned> assigned(Collection<Integer> streams) {
            return List.of();
        }

        @Override
        public boolean advance(Lease lease, SubscriptionKey key, StreamCursor to) {
            return cursors.add(to);
        }

        @Override
        public void stop(Lease lease, SubscriptionKey key, long revision, State state, String reason) {
            stopped.add(state + " " + reason);
        }

        @Override
        public List<Lag> lags(Optional<TenantId> tenant, int limit) {
            return List.of();
        }

        @Override
        public Optional<Lag> lag(SubscriptionKey key) {
            return Optional.empty();
        }

        @Override
        public List<SubscriptionKey> broken(int limit) {
            return List.of();
        }
    }

    private void start(Optional<Failure> failure, Optional<Instant> failingSince) throws Exception {
        heads.are(Map.of(STREAM, 1L));
        Sinks sinks =
                new Sinks(Optional.empty(), List.of(), new FlowstoneConfig.Events(4, BROKEN_AFTER, Optional.empty()));
        EventsOut.Parts parts = new EventsOut.Parts(
                ports.clock(),
                feed,
                new RunHistory(logs),
                work,
                sinks,
                heads,
                room,
                turns,
                new EventsOutMetrics(),
                BROKEN_AFTER);
        Mark mark = new Mark(Instant.EPOCH, Actor.ENGINE);
        Subscription subscription = new Subscription(
                new SubscriptionKey(new TenantId("acme"), new SubscriptionName("crm")),
                1,
                new Wish(new SinkAddress.Webhook("crm"), Set.of(), Set.of()),
                State.ACTIVE,
                Optional.empty(),
                mark,
                mark);
        StreamCursor cursor = new StreamCursor(STREAM, FeedPlace.BEGIN, 1, 0, failure, failingSince, Optional.empty());
        Lease lease = new Lease(ports.leases().shards().getFirst(), "node", 1, Instant.MAX);
        thread = Thread.ofVirtual()
                .start(new StreamWorker(
                        parts, lease, new SubscriptionWork.Assigned(subscription, cursor), stop, () -> true));
    }

    @AfterEach
    void ends() throws Exception {
        Thread worker = started(thread);
        stop.ask(worker);
        assertTrue(worker.join(Duration.ofSeconds(60)));
        assertEquals(1_000, room.left());
    }

    private static Thread started(@Nullable Thread thread) {
        if (thread == null) {
            throw new AssertionError("nothing was started");
        }
        return thread;
    }

    private StreamCursor recorded() throws InterruptedException {
        return Optional.ofNullable(work.cursors.poll(60, TimeUnit.SECONDS))
                .orElseThrow(() -> new AssertionError("nothing was recorded"));
    }

    private static String error(StreamCursor cursor) {
        return cursor.failure().orElseThrow().error();
    }

    @Test
    void whatTheDatabaseRefusesIsShownWithoutItsOwnWords() throws Exception {
        feed.fault = new JournalException.BadData("at /var/lib/postgres");

        start(Optional.empty(), Optional.empty());

        assertEquals("FEED_UNREADABLE: the database refuses it; the server's log says why", error(recorded()));
    }

    @Test
    void aFaultOfOursIsShownWithoutItsOwnWords() throws Exception {
        feed.fault = new IllegalStateException("at /var/lib/postgres");

        start(Optional.empty(), Optional.empty());

        assertEquals("FEED_UNREADABLE: a fault of ours; the server's log says why", error(recorded()));
    }

    /** People may have it skipped, and with it nothing but what the run has in that commit. */
    @Test
    void aDamagedRunIsNamedAndBlocks() throws Exception {
        logs.decide(RUN, Logs.other()).decide(RUN, Logs.other(), Logs.other());
        logs.damage(RUN, 2);
        feed.moved = List.of(new Moved(new RunKey(Logs.TENANT, RUN), 2, 3));

        start(Optional.empty(), Optional.empty());

        StreamCursor shown = recorded();
        assertTrue(error(shown).startsWith("FEED_UNREADABLE: run " + RUN + ", event 2: "), error(shown));
        assertEquals(Optional.of(new Blocked(RUN + "/2", new FeedPlace(0, 2))), shown.blocked());
        assertEquals(FeedPlace.BEGIN, shown.place());
    }

    /** A node of that release sends it: there is nothing to skip. */
    @Test
    void whatALaterReleaseHasWrittenWaitsForIt() throws Exception {
        logs.decideLater(RUN, Logs.other());
        feed.moved = List.of(new Moved(new RunKey(Logs.TENANT, RUN), 1, 1));

        start(Optional.empty(), Optional.empty());

        StreamCursor shown = recorded();
        assertTrue(error(shown).startsWith("FEED_UNREADABLE: a later release has written it: "), error(shown));
        assertEquals(Optional.empty(), shown.blocked());
    }

    @Test
    void anOutageThatLastsIsShownUntilItIsOver() throws Exception {
        feed.fault = new JournalException.Unavailable("no route to 10.0.0.1");
        start(Optional.empty(), Optional.empty());
        assertEquals("FEED_UNREADABLE: the database can't be read; the server's log says why", error(recorded()));

        feed.fault = null;

        StreamCursor mended = recorded();
        while (mended.failure().isPresent()) {
            mended = recorded();
        }
        assertEquals(FeedPlace.after(1), mended.place());
        assertEquals(Optional.empty(), mended.failingSince());
    }

    /** Nobody tried for two days: that is no reason to give up at once. */
    @Test
    void timeInWhichNobodyTriedBreaksNothing() throws Exception {
        Instant before = Instant.now().minus(Duration.ofDays(2));
        feed.fault = new JournalException.BadData("refused");

        start(Optional.of(new Failure(before.plusSeconds(60), "500")), Optional.of(before));

        Instant since = recorded().failingSince().orElseThrow();
        assertTrue(since.isAfter(Instant.now().minus(Duration.ofMinutes(30))), since::toString);
        StreamCursor _ = recorded();
        assertEquals(0, work.stopped.size());
    }

    @Test
    void whoHasTriedForTooLongGivesUp() throws Exception {
        Instant before = Instant.now().minus(Duration.ofDays(2));
        feed.fault = new JournalException.BadData("refused");

        start(Optional.of(new Failure(before.plus(BROKEN_AFTER.multipliedBy(2)), "500")), Optional.of(before));

        String stopped =
                Optional.ofNullable(work.stopped.poll(60, TimeUnit.SECONDS)).orElseThrow();
        assertTrue(stopped.startsWith("BROKEN DELIVERY_FAILED"), stopped);
    }
}
