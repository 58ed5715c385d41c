package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.limit.Gate;
import dev.flowstone.engine.limit.Gates;
import dev.flowstone.engine.limit.Line;
import dev.flowstone.engine.limit.Permit;
import dev.flowstone.engine.limit.WorkClass;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Limits under schedules by chance: never more than they say, and never less than may be. */
final class GatesTest {
    private static final int SEEDS = 300;
    private static final int STEPS = 400;

    private final VirtualClock clock = VirtualClock.start();
    private final List<Going> going = new ArrayList<>();
    private final List<Going> all = new ArrayList<>();
    private int sooner;

    /** What has begun. */
    private record Going(Queue line, int number, Permit permit, Instant at) {}

    /** Numbers in order; a place to do them may be missing, as workers are. */
    private final class Queue extends Line {
        final String action;
        final ArrayDeque<Integer> waiting = new ArrayDeque<>();
        final List<Integer> begun = new ArrayList<>();
        boolean manned = true;
        int next;

        Queue(Gates gates, String action) {
            this(gates, action, WorkClass.LATENCY_SENSITIVE);
        }

        Queue(Gates gates, String action, WorkClass workClass) {
            super(workClass, gates.of(new HandlerName(action)));
            this.action = action;
        }

        /** Within a further limit. */
        Queue(Gates gates, String action, Gate more) {
            super(
                    WorkClass.LATENCY_SENSITIVE,
                    Stream.concat(gates.of(new HandlerName(action)).stream(), Stream.of(more))
                            .toList());
            this.action = action;
        }

        @Override
        protected boolean isReady() {
            return manned && !waiting.isEmpty();
        }

        @Override
        protected boolean begin(Permit permit) {
            int number = waiting.remove();
            if (number % 7 == 6) {
                return false;
            }
            begun.add(number);
            Going begins = new Going(this, number, permit, clock.now());
            going.add(begins);
            all.add(begins);
            return true;
        }
    }

    private Gates gates(ActionLimit... limits) {
        return new Gates(List.of(limits), clock, () -> sooner++);
    }

    private void add(Gates gates, Queue line) {
        gates.change(() -> {
            line.waiting.add(line.next++);
            gates.pass(line);
        });
    }

    private void end(Gates gates, Going one) {
        going.remove(one);
        gates.change(() -> gates.end(one.permit));
    }

    @Test
    void limitsHoldAndWhateverTheyAllowBegins() {
        for (long seed = 0; seed < SEEDS; seed++) {
            going.clear();
            all.clear();
            new Schedule(seed).play();
        }
    }

    /** One seed: some lines under limits of every kind. */
    private final class Schedule {
        final SplittableRandom dice;
        final List<ActionLimit> limits;
        final Gates gates;
        final List<Queue> lines = new ArrayList<>();
        final String about;
        Instant due;

        Schedule(long seed) {
            dice = new SplittableRandom(seed);
            limits = new ArrayList<>();
            for (String actions : List.of("a.x", "a.y", "a.*", "a.x.*", "b.z")) {
                if (dice.nextInt(100) < 60) {
                    int atOnce = dice.nextInt(3) == 0 ? 0 : 1 + dice.nextInt(4);
                    double rate = atOnce == 0 || dice.nextBoolean() ? (1 + dice.nextInt(300)) / 10.0 : 0;
                    limits.add(new ActionLimit(actions, atOnce, rate));
                }
            }
            gates = new Gates(limits, clock, () -> due = clock.now());
            // Two tenants may have lines of one action.
            for (String action : List.of("a.x", "a.x", "a.y", "a.x.w", "b.z", "c.free")) {
                lines.add(new Queue(gates, action, dice.nextBoolean() ? WorkClass.BULK : WorkClass.LATENCY_SENSITIVE));
            }
            about = "seed " + seed + ", " + limits;
            due = Instant.MAX;
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                Queue line = lines.get(dice.nextInt(lines.size()));
                switch (dice.nextInt(10)) {
                    case 0, 1, 2, 3 -> add(gates, line);
                    case 4, 5 -> {
                        if (!going.isEmpty()) {
                            Going one = going.get(dice.nextInt(going.size()));
                            end(gates, one);
                            gates.change(() -> gates.end(one.permit()));
                        }
                    }
                    case 6 -> cancel(line);
                    case 7 ->
                        gates.change(() -> {
                            line.manned = !line.manned;
                            while (gates.pass(line)) {}
                        });
                    default -> pass(Duration.ofMillis(dice.nextInt(400)));
                }
                check();
            }
        }

        private void cancel(Queue line) {
            gates.change(() -> {
                line.waiting.pollLast();
                if (line.waiting.isEmpty()) {
                    gates.left(line);
                }
            });
        }

        /** As its thread does: no later than it was told, and when it is called. */
        private void pass(Duration time) {
            Instant end = clock.now().plus(time);
            while (due.isBefore(end)) {
                clock.set(due.isAfter(clock.now()) ? due : clock.now());
                due = gates.open();
            }
            clock.set(end);
            due = gates.open();
        }

        private void check() {
            for (ActionLimit limit : limits) {
                long now = going.stream().filter(one -> isOn(limit, one.line)).count();
                assertTrue(limit.atOnce() == 0 || now <= limit.atOnce(), about);
                assertEquals((int) now, gates.running().get(limit), about);
                assertTrue(begunWithin(limit) <= most(limit), about);
            }
            for (Queue line : lines) {
                assertEquals(line.begun.stream().sorted().toList(), line.begun, about);
                assertFalse(
                        line.isReady()
                                && limits.stream().filter(l -> isOn(l, line)).allMatch(this::hasRoom),
                        () -> about + ": " + line.action + " could begin");
            }
        }

        private double most(ActionLimit limit) {
            return limit.perSecond() == 0
                    ? Double.MAX_VALUE
                    : limit.perSecond() + Math.max(1, limit.perSecond() / 10) + 1e-6;
        }

        /** In the last second. */
        private long begunWithin(ActionLimit limit) {
            Instant from = clock.now().minusSeconds(1);
            return all.stream()
                    .filter(one -> isOn(limit, one.line) && one.at.isAfter(from))
                    .count();
        }

        /** By the slowest reading: nothing has begun within it for longer than its pace and its burst could ask for. */
        private boolean hasRoom(ActionLimit limit) {
            long now = going.stream().filter(one -> isOn(limit, one.line)).count();
            boolean rested = limit.perSecond() == 0
                    || all.stream()
                            .filter(one -> isOn(limit, one.line))
                            .noneMatch(one -> one.at
                                    .plusNanos((long) (1e9 / limit.perSecond()) + 1)
                                    .isAfter(clock.now()));
            return (limit.atOnce() == 0 || now < limit.atOnce()) && rested;
        }
    }

    private static boolean isOn(ActionLimit limit, Queue line) {
        String actions = limit.actions();
        return actions.endsWith("*")
                ? line.action.startsWith(actions.substring(0, actions.length() - 1))
                : line.action.equals(actions);
    }

    /** A permit is freed while no rate is left: when the rate allows it the next one begins all the same. */
    @Test
    void whatTimeHoldsBackWhenAPermitIsFreedIsCalledByTime() {
        Gates gates = gates(new ActionLimit("a.x", 1, 1));
        Queue line = new Queue(gates, "a.x");
        add(gates, line);
        add(gates, line);
        assertEquals(Instant.MAX, gates.open(), "it takes an end, not time");
        clock.advance(Duration.ofMillis(300));

        end(gates, going.getFirst());

        assertEquals(List.of(0), line.begun);
        assertTrue(sooner > 0, "whoever calls it sleeps to the end of time");
        assertEquals(clock.now().plusMillis(700), gates.open());
        clock.advance(Duration.ofMillis(700));
        gates.open();
        assertEquals(List.of(0, 1), line.begun);
    }

    @Test
    void whoComesLaterDoesNotPassWhoWaits() {
        Gates gates = gates(ActionLimit.atOnce("a.*", 1));
        Queue first = new Queue(gates, "a.x");
        Queue second = new Queue(gates, "a.y");
        Queue third = new Queue(gates, "a.z");
        add(gates, first);
        add(gates, first);
        add(gates, second);
        gates.change(() -> {
            gates.end(going.getFirst().permit());
            third.waiting.add(third.next++);
            assertFalse(gates.pass(third), "the permit is free, and theirs who wait");
        });

        assertEquals(List.of(0, 1), first.begun);
        end(gates, going.getLast());
        assertEquals(List.of(0), second.begun);
        end(gates, going.getLast());
        assertEquals(List.of(0), third.begun);
    }

    @Test
    void linesWithMuchToDoTakeTurns() {
        Gates gates = gates(ActionLimit.atOnce("a.*", 2));
        Queue much = new Queue(gates, "a.x");
        Queue little = new Queue(gates, "a.y");
        for (int i = 0; i < 50; i++) {
            add(gates, much);
        }
        add(gates, little);
        end(gates, going.getFirst());
        end(gates, going.getFirst());

        assertEquals(List.of(0), little.begun);
    }

    @Test
    void bulkWorkHasEachFourthTurnWhileBothWait() {
        Gates gates = gates(ActionLimit.atOnce("a.*", 1));
        Queue bulk = new Queue(gates, "a.x", WorkClass.BULK);
        Queue sensitive = new Queue(gates, "a.y", WorkClass.LATENCY_SENSITIVE);
        for (int i = 0; i < 6; i++) {
            add(gates, bulk);
            add(gates, sensitive);
        }
        for (int i = 0; i < 7; i++) {
            end(gates, going.getFirst());
        }

        assertEquals(List.of(0, 1), bulk.begun, "the first one found nobody before it");
        assertEquals(List.of(0, 1, 2, 3, 4, 5), sensitive.begun);
        end(gates, going.getFirst());
        assertEquals(List.of(0, 1, 2), bulk.begun, "all that others leave");
    }

    @Test
    void aClockThatIsSetBackHoldsUpNothingForLong() {
        Gates gates = gates(new ActionLimit("a.x", 0, 2));
        Queue line = new Queue(gates, "a.x");
        add(gates, line);
        add(gates, line);
        clock.set(clock.now().minus(Duration.ofHours(1)));

        Instant due = gates.open();

        assertFalse(due.isAfter(clock.now().plusSeconds(1)), () -> clock.now() + " " + due);
        clock.set(due);
        gates.open();
        assertEquals(List.of(0, 1), line.begun);
    }

    /** Who waits at the wide gate gets past those who come to it again and again from narrower ones. */
    @Test
    void whoComesFromANarrowGateGoesBehindThoseAtTheWideOne() {
        Gates gates = gates(
                ActionLimit.atOnce("slack.send", 10),
                ActionLimit.atOnce("slack.read", 10),
                ActionLimit.atOnce("slack.*", 20));
        Queue send = new Queue(gates, "slack.send");
        Queue read = new Queue(gates, "slack.read");
        Queue post = new Queue(gates, "slack.post");
        for (int i = 0; i < 50; i++) {
            add(gates, send);
            add(gates, read);
        }
        add(gates, post);

        end(gates, going.getFirst());

        assertEquals(List.of(0), post.begun);
        assertEquals(20, going.size());
    }

    @Test
    void theGateOfAllHandlersIsPassedInTurnToo() {
        Gates gates = gates(ActionLimit.atOnce("slack.send", 1), ActionLimit.atOnce("slack.read", 1));
        Gate all = Gates.gate(2);
        Queue send = new Queue(gates, "slack.send", all);
        Queue read = new Queue(gates, "slack.read", all);
        Queue mail = new Queue(gates, "mail", all);
        for (int i = 0; i < 5; i++) {
            add(gates, send);
            add(gates, read);
        }
        add(gates, mail);

        end(gates, going.getFirst());

        assertEquals(List.of(0), mail.begun);
    }

    @Test
    void anActionsOwnLimitIsNarrowerThanItsConnectors() {
        Gates gates = gates(ActionLimit.atOnce("a.*", 9), ActionLimit.atOnce("a.x", 1));

        assertEquals(
                List.of(1, 9),
                gates.of(new HandlerName("a.x")).stream()
                        .map(gate -> Gates.most(List.of(gate)))
                        .toList());
    }

    @Test
    void whatGoesOnFromBeforeUsesUpNoRate() {
        Gates gates = gates(new ActionLimit("a.x", 2, 1));
        Queue line = new Queue(gates, "a.x");
        gates.change(() -> {
            gates.force(line);
        });

        add(gates, line);

        assertEquals(List.of(0), line.begun);
        assertEquals(2, gates.running().values().iterator().next());
    }
}
