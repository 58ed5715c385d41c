package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.trigger.EventTriggers;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nobody goes further by triggers that were read than streams went before. */
final class EventViewTest {
    private static final int STREAM = 3;
    private static final Set<Integer> STREAMS = Set.of(STREAM);

    private static boolean behind(Map<Integer, Long> heads) {
        return true;
    }

    private static boolean done(Map<Integer, Long> heads) {
        return false;
    }

    private final House house = new House();
    private final EventView view = new EventView(house, house, () -> house.now);

    /** A feed and triggers, each with as much as the test says. */
    private static final class House implements Feed, EventTriggers {
        private final List<Listening> triggers = new ArrayList<>();
        private long now = 1;
        private long head;
        private int reads;
        private Duration readingTakes = Duration.ZERO;

        void pass(long millis) {
            now += Duration.ofMillis(millis).toNanos();
        }

        void add(Trigger trigger) {
            triggers.add(new Listening(trigger, Map.of(STREAM, head)));
        }

        @Override
        public List<Listening> listening() {
            reads++;
            List<Listening> found = List.copyOf(triggers);
            now += readingTakes.toNanos();
            return found;
        }

        @Override
        public List<Listening> listening(TenantId tenant) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<Integer, FeedPlace> places(Collection<Integer> streams) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void advance(Lease lease, FeedPlace place) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<FeedRow> read(int stream, long after, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<Integer, Long> last(Collection<Integer> streams) {
            return Map.of(STREAM, head);
        }

        @Override
        public Map<Integer, Long> first(Collection<Integer> streams) {
            throw new UnsupportedOperationException();
        }
    }

    /** Reading takes long, so that it isn't done for each event: what comes between two readings waits for the next one. */
    @Test
    void whatComesAfterATriggerWasMadeIsSeenWithItAlone() throws JournalException {
        house.readingTakes = Duration.ofMillis(20);
        house.add(SomeTriggers.trigger());
        house.head = 5;
        EventView.Seen first = view.look(STREAMS, EventViewTest::behind);
        assertEquals(5, first.head(STREAM));

        house.pass(30);
        Trigger made = SomeTriggers.trigger();
        house.add(made);
        house.pass(20);
        house.head = 6;
        house.pass(30);
        EventView.Seen between = view.look(STREAMS, EventViewTest::behind);
        assertTrue(
                between.head(STREAM) < 6 || between.listeners().find(made.key()).isPresent(),
                "row 6 is passed over by triggers that are older than it");
        assertEquals(1, house.reads, "a small share of the time");

        house.pass(400);
        EventView.Seen then = view.look(STREAMS, EventViewTest::behind);
        assertEquals(6, then.head(STREAM));
        assertEquals(Optional.of(made), then.listeners().find(made.key()));
    }

    @Test
    void aRowThatComesWhileTriggersAreReadWaits() throws JournalException {
        EventTriggers slow = new Overtaken(house);
        EventView overtaken = new EventView(house, slow, () -> house.now);
        house.head = 5;
        assertEquals(5, overtaken.look(STREAMS, EventViewTest::behind).head(STREAM));
        assertEquals(9, house.head);
    }

    /** Rows come in the meantime. */
    private record Overtaken(House house) implements EventTriggers {
        @Override
        public List<Listening> listening() {
            house.head = 9;
            return List.of();
        }

        @Override
        public List<Listening> listening(TenantId tenant) {
            return List.of();
        }

        @Override
        public Map<Integer, FeedPlace> places(Collection<Integer> streams) {
            return Map.of();
        }

        @Override
        public void advance(Lease lease, FeedPlace place) {}
    }

    @Test
    void whereNothingHappensItIsReadNowAndThen() throws JournalException {
        house.add(SomeTriggers.trigger());
        assertTrue(!view.lookForAny().isIdle());
        for (int i = 0; i < 10; i++) {
            house.pass(100);
            EventView.Seen _ = view.look(STREAMS, EventViewTest::done);
        }
        assertEquals(3, house.reads, "at first, and twice a second");
        for (int i = 0; i < 10; i++) {
            house.pass(100);
            EventView.Seen _ = view.look(STREAMS, EventViewTest::behind);
        }
        assertEquals(13, house.reads, "at once, if somebody has something to do");
    }
}
