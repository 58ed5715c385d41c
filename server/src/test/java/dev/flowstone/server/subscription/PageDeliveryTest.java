package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Runs side by side, each run's events in order, and a place that is never ahead of what was acknowledged. */
final class PageDeliveryTest {
    private static final FeedPlace BEGIN = new FeedPlace(10, 4);

    private final List<String> sent = Collections.synchronizedList(new ArrayList<>());

    /** Of run 0 to 9, its number after the colon. */
    private static OutEvent event(int place, String name) {
        return new OutEvent(run(name), name, new byte[0], new FeedPlace(11, place + 1));
    }

    private static RunId run(String name) {
        return RunId.of(Instant.EPOCH, new Slot(1), name.charAt(0));
    }

    private static EventPages.Page page(String... names) {
        List<OutEvent> events = new ArrayList<>();
        for (String name : names) {
            events.add(event(events.size(), name));
        }
        return new EventPages.Page(events, FeedPlace.after(12), 0);
    }

    private PageDelivery delivery(EventPages.Page page, EventSink sink) {
        return new PageDelivery(BEGIN, page, new Sinks.Way(new Gate(16, 0), sink), () -> true);
    }

    private EventSink refusing(Set<String> names) {
        return event -> {
            if (names.contains(event.id())) {
                throw SendException.of("no " + event.id());
            }
            sent.add(event.id());
        };
    }

    @Test
    void aRunThatFailsHoldsUpItselfAndThePage() throws Exception {
        PageDelivery delivery = delivery(page("a:1", "b:1", "a:2", "c:1", "b:2"), refusing(Set.of("b:1")));

        delivery.round();

        assertEquals(Set.of("a:1", "a:2", "c:1"), Set.copyOf(sent));
        assertFalse(delivery.isDone());
        assertEquals(new FeedPlace(11, 1), delivery.place());
        assertEquals(Optional.of("b:1"), delivery.blocked().map(OutEvent::id));
        assertEquals("no b:1", delivery.failure().orElseThrow().getMessage());
        assertEquals(3, delivery.counted());
        assertEquals(0, delivery.counted());
    }

    @Test
    void whatWasAcknowledgedIsNotSentAgainInTheNextRound() throws Exception {
        Set<String> refused = Collections.synchronizedSet(new HashSet<>(Set.of("b:1")));
        PageDelivery delivery = delivery(page("a:1", "b:1", "a:2", "b:2"), refusing(refused));
        delivery.round();
        refused.clear();

        delivery.round();

        assertTrue(delivery.isDone());
        assertEquals(FeedPlace.after(12), delivery.place());
        assertEquals(4, sent.size());
        assertTrue(sent.indexOf("b:1") < sent.indexOf("b:2"));
        assertEquals(Optional.empty(), delivery.failure());
    }

    @Test
    void runsGoSideBySide() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        PageDelivery delivery = delivery(page("a:1", "b:1"), event -> {
            both.countDown();
            if (!both.await(30, TimeUnit.SECONDS)) {
                throw SendException.of("alone");
            }
        });

        delivery.round();

        assertTrue(delivery.isDone());
    }

    @Test
    void aPlaceThatIsDownIsLeftAloneAfterAFewFailures() throws Exception {
        String[] names = new String[200];
        for (int i = 0; i < names.length; i++) {
            names[i] = (char) ('0' + i) + ":1";
        }
        PageDelivery delivery = delivery(page(names), event -> {
            sent.add(event.id());
            throw SendException.of("down");
        });

        delivery.round();

        assertTrue(sent.size() >= 5 && sent.size() <= 5 + 16, sent::toString);
        assertEquals(BEGIN, delivery.place());
    }

    @Test
    void nothingBeginsOnceTheNodeMayNotGoOn() throws Exception {
        AtomicBoolean mayGoOn = new AtomicBoolean(true);
        PageDelivery delivery = new PageDelivery(
                BEGIN,
                page("a:1", "a:2", "a:3"),
                new Sinks.Way(new Gate(1, 0), event -> {
                    sent.add(event.id());
                    mayGoOn.set(false);
                }),
                mayGoOn::get);

        delivery.round();

        assertEquals(List.of("a:1"), sent);
        assertEquals(new FeedPlace(11, 1), delivery.place());
        assertEquals(Optional.empty(), delivery.failure());
    }

    @Test
    void aFaultOfOursIsAFailureToo() throws Exception {
        PageDelivery delivery = delivery(page("a:1"), event -> {
            throw new IllegalStateException("broken");
        });

        delivery.round();

        assertFalse(delivery.isDone());
        String error = String.valueOf(delivery.failure().orElseThrow().getMessage());
        assertTrue(error.contains("IllegalStateException") && !error.contains("broken"), error);
    }

    /** With a single place, six runs that fail would end each round before a seventh one's turn. */
    @Test
    void runsThatFailDoNotStarveTheOthers() throws Exception {
        Set<String> refused = Set.of("a:1", "b:1", "c:1", "d:1", "e:1", "f:1");
        PageDelivery delivery =
                oneByOne(page("a:1", "b:1", "c:1", "d:1", "e:1", "f:1", "g:1", "g:2"), refusing(refused));

        delivery.round();
        assertEquals(List.of(), sent);
        delivery.round();

        assertEquals(List.of("g:1", "g:2"), sent);
        assertEquals(Optional.of("a:1"), delivery.blocked().map(OutEvent::id));
    }

    /** Each run gets its turn, and whatever was tried: what the place is before is named, or nobody could skip it. */
    @Test
    void theEventThatThePlaceIsBeforeIsNamedThoughOthersWereTried() throws Exception {
        List<String> tried = Collections.synchronizedList(new ArrayList<>());
        String[] names = new String[12];
        for (int i = 0; i < names.length; i++) {
            names[i] = (char) ('a' + i) + ":1";
        }
        PageDelivery delivery = oneByOne(page(names), event -> {
            tried.add(event.id());
            throw SendException.of("down");
        });
        for (int round = 0; round < 3; round++) {
            delivery.round();
            assertEquals(Optional.of("a:1"), delivery.blocked().map(OutEvent::id));
        }

        assertEquals(Set.of(names), Set.copyOf(tried));
    }

    private static PageDelivery oneByOne(EventPages.Page page, EventSink sink) {
        return new PageDelivery(BEGIN, page, new Sinks.Way(new Gate(1, 0), sink), () -> true);
    }

    /** Twenty may come at once; two hundred that are given up must not use up what comes after them. */
    @Test
    void whoIsGivenUpTakesNothingOfThePace() throws Exception {
        String[] names = new String[200];
        for (int i = 0; i < names.length; i++) {
            names[i] = (char) ('0' + i) + ":1";
        }
        Gate gate = new Gate(1, 20);
        PageDelivery delivery = new PageDelivery(
                BEGIN,
                page(names),
                new Sinks.Way(gate, event -> {
                    throw SendException.of("down");
                }),
                () -> true);
        long begun = System.nanoTime();

        delivery.round();
        gate.enter();

        assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(7));
    }

    @Test
    void aPlaceThatAskedForAPauseIsLeftAloneByAll() throws Exception {
        Gate gate = new Gate(1, 0);
        EventSink sink = event -> {
            sent.add(event.id());
            throw SendException.pausing("the endpoint answered 429", Optional.of(Duration.ofHours(1)));
        };
        PageDelivery one = new PageDelivery(BEGIN, page("a:1", "b:1"), new Sinks.Way(gate, sink), () -> true);
        PageDelivery other = new PageDelivery(BEGIN, page("c:1"), new Sinks.Way(gate, sink), () -> true);

        one.round();
        other.round();

        assertEquals(List.of("a:1"), sent);
        assertEquals(Optional.empty(), other.failure());
        assertEquals(Optional.empty(), other.blocked());
        assertFalse(other.isDone());
        gate.reopen();
        other.round();
        assertEquals(List.of("a:1", "c:1"), sent);
    }

    /** Whatever fails, in whatever order: each run's events arrive in order, and before the place all have arrived. */
    @Test
    void orderHoldsUnderRandomFailures() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Map<Character, Integer> last = new HashMap<>();
            String[] names = new String[1 + random.nextInt(40)];
            for (int i = 0; i < names.length; i++) {
                char run = (char) ('a' + random.nextInt(5));
                names[i] = run + ":" + last.merge(run, 1, Integer::sum);
            }
            sent.clear();
            Random failing = new Random(seed + 1_000L);
            EventPages.Page page = page(names);
            PageDelivery delivery = delivery(page, event -> {
                boolean fails;
                synchronized (failing) {
                    fails = failing.nextInt(3) == 0;
                }
                if (fails) {
                    throw SendException.of("by chance");
                }
                sent.add(event.id());
            });
            while (!delivery.isDone()) {
                delivery.round();
                FeedPlace place = delivery.place();
                for (OutEvent event : page.events()) {
                    assertTrue(
                            event.behind().compareTo(place) > 0 || sent.contains(event.id()),
                            "seed " + seed + ": " + event.id() + " is before the place and wasn't sent");
                }
            }
            Map<Character, Integer> seen = new HashMap<>();
            for (String name : List.copyOf(sent)) {
                assertEquals(
                        seen.merge(name.charAt(0), 1, Integer::sum),
                        Integer.parseInt(name.substring(2)),
                        "seed " + seed + ": " + sent);
            }
            assertEquals(names.length, sent.size(), "seed " + seed);
        }
    }
}
