package dev.flowstone.engine.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.task.RunBoundDesk.Job;
import dev.flowstone.kernel.id.HandlerName;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A run never has more attempts at once than its program says, and never fewer than it could have. */
final class RunBoundTest {
    private static final int SEEDS = 300;
    private static final int STEPS = 300;
    private static final HandlerName WORK = new HandlerName("a.work");
    private static final HandlerName NARROW = new HandlerName("a.narrow");
    private static final HandlerName OUTSIDE = new HandlerName("r.outside");
    private static final HandlerName FAR = new HandlerName("r.far");
    private static final TaskLoad.Lane NOTHING = new TaskLoad.Lane(0, 0, 0, Instant.MAX);

    @Test
    void boundsOfRunsHoldAndWhateverTheyAllowBegins() {
        for (long seed = 0; seed < SEEDS; seed++) {
            new Schedule(seed).play();
        }
    }

    /** One seed. */
    private static final class Schedule {
        private static final List<HandlerName> ACTIONS = List.of(WORK, NARROW, OUTSIDE, FAR);

        final SplittableRandom dice;
        final RunBoundDesk desk;
        final String about;
        final int[] most = new int[4];

        Schedule(long seed) {
            dice = new SplittableRandom(seed);
            Map<HandlerName, Integer> limits = new HashMap<>();
            limits.put(NARROW, 1 + dice.nextInt(2));
            if (dice.nextBoolean()) {
                limits.put(OUTSIDE, 1 + dice.nextInt(3));
            }
            desk = new RunBoundDesk(1 + dice.nextInt(6), limits);
            for (int run = 0; run < most.length - 1; run++) {
                most[run] = 1 + dice.nextInt(3);
            }
            about = "seed " + seed + ", " + limits + ", " + desk.concurrency + " in all";
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                switch (dice.nextInt(11)) {
                    case 0, 1, 2, 3 -> {
                        int run = dice.nextInt(most.length);
                        desk.submit(run, most[run], ACTIONS.get(dice.nextInt(ACTIONS.size())));
                    }
                    case 4, 5, 6 -> any(true).ifPresent(desk::end);
                    case 7 -> any(false).ifPresent(job -> assertTrue(desk.withdraw(job), about));
                    case 8 -> desk.claim(OUTSIDE, 1 + dice.nextInt(4));
                    case 9 -> desk.sleep(dice.nextBoolean() ? OUTSIDE : FAR);
                    default -> claimWhatThereIs(FAR);
                }
                check();
            }
            drain();
        }

        private Optional<Job> any(boolean going) {
            List<Job> some =
                    desk.jobs.stream().filter(job -> job.going == going).toList();
            return some.isEmpty() ? Optional.empty() : Optional.of(some.get(dice.nextInt(some.size())));
        }

        /** A worker that has room for everything leaves nothing behind that could begin. */
        private void claimWhatThereIs(HandlerName action) {
            desk.claim(action, 1_000);
            desk.jobs.stream()
                    .filter(job -> !job.going && job.action().equals(action) && desk.hasRoom(job))
                    .forEach(job -> {
                        throw new AssertionError(about + ": a worker could have had " + job);
                    });
        }

        private void check() {
            for (int run = 0; run < most.length; run++) {
                assertTrue(most[run] == 0 || desk.going(run) <= most[run], about);
            }
            assertEquals(
                    desk.jobs.stream()
                            .filter(job -> job.going && !job.task.isRemote())
                            .count(),
                    desk.lanes.running(),
                    about);
            for (Job job : desk.jobs) {
                boolean wanted = !job.task.isRemote() || desk.isAwaited(job.action());
                assertTrue(job.going || !wanted || !desk.hasRoom(job), () -> about + ": could begin: " + job);
            }
            assertEquals(
                    desk.jobs.stream().filter(job -> !job.going).count(),
                    desk.lanes.waiting() + desk.remote.waiting(),
                    about);
            for (HandlerName action : List.of(WORK, NARROW)) {
                checkLoad(action);
            }
        }

        private void checkLoad(HandlerName action) {
            List<Job> waiting = desk.jobs.stream()
                    .filter(job -> !job.going && job.action().equals(action))
                    .toList();
            TaskLoad load = desk.lanes.load(Map.of());
            TaskLoad.Lane lane = load.lanes().getOrDefault(action, NOTHING);
            assertEquals(waiting.size(), lane.waiting(), about);
            assertEquals(
                    waiting.stream().map(job -> job.task.submittedAt()).min(Comparator.naturalOrder()),
                    Optional.of(lane.since()).filter(Instant.MAX::isAfter),
                    about);
        }

        /** Everything begins at last, in each run's order for each action; and nothing is kept for runs that have nothing left. */
        private void drain() {
            while (!desk.jobs.isEmpty()) {
                claimWhatThereIs(OUTSIDE);
                claimWhatThereIs(FAR);
                check();
                any(true).ifPresentOrElse(desk::end, () -> {
                    throw new AssertionError(about + ": stuck with " + desk.jobs);
                });
            }
            for (int run = 0; run < most.length; run++) {
                for (HandlerName action : ACTIONS) {
                    int of = run;
                    List<Integer> begun = desk.begun.stream()
                            .filter(job -> job.run == of && job.action().equals(action))
                            .map(job -> job.number)
                            .toList();
                    assertEquals(begun.stream().sorted().toList(), begun, about);
                }
            }
            assertEquals(0, desk.runs.size(), about);
        }
    }

    @Test
    void aRunThatMayDoNoMoreIsInNobodysWay() {
        RunBoundDesk desk = new RunBoundDesk(2, Map.of());
        for (int i = 0; i < 100; i++) {
            desk.submit(0, 1, WORK);
        }
        Job other = desk.submit(1, 1, WORK);

        assertTrue(other.going);
        assertEquals(1, desk.going(0));
    }

    @Test
    void aRunWithMuchToDoTakesTurnsWithOneThatHasNoBound() {
        RunBoundDesk desk = new RunBoundDesk(3, Map.of());
        for (int i = 0; i < 100; i++) {
            desk.submit(0, 3, WORK);
        }
        Job other = desk.submit(1, 0, WORK);
        desk.end(desk.begun.getFirst());
        desk.end(desk.begun.get(1));

        assertTrue(other.going, desk.begun::toString);
    }

    @Test
    void anActionOfARunThatWaitsForItsLimitLeavesTheRunsPlacesToOthers() {
        RunBoundDesk desk = new RunBoundDesk(10, Map.of(NARROW, 1));
        desk.submit(1, 0, NARROW);
        Job narrow = desk.submit(0, 1, NARROW);
        Job work = desk.submit(0, 1, WORK);

        assertTrue(work.going, "the limit is another run's, and the place is free");
        desk.end(desk.begun.getFirst());
        assertFalse(narrow.going, "the run has begun another attempt since");
        desk.end(work);
        assertTrue(narrow.going);
    }

    @Test
    void workersAndHandlersShareTheRunsPlaces() {
        RunBoundDesk desk = new RunBoundDesk(10, Map.of());
        Job outside = desk.submit(0, 1, OUTSIDE);
        Job here = desk.submit(0, 1, WORK);
        assertTrue(here.going, "nobody has claimed the other");
        assertEquals(List.of(), desk.claim(OUTSIDE, 10));

        desk.end(here);

        assertEquals(List.of(outside), desk.claim(OUTSIDE, 10));
        Job second = desk.submit(0, 1, WORK);
        assertFalse(second.going);
        desk.end(outside);
        assertTrue(second.going);
    }

    @Test
    void aPlaceThatAHandlerFreesGoesToAWorkerThatSleeps() {
        RunBoundDesk desk = new RunBoundDesk(10, Map.of());
        Job here = desk.submit(0, 1, WORK);
        Job outside = desk.submit(0, 1, OUTSIDE);
        desk.sleep(OUTSIDE);
        assertTrue(desk.isAwaited(OUTSIDE), "the place is the handler's");

        desk.end(here);

        assertTrue(outside.going);
        assertFalse(desk.isAwaited(OUTSIDE));
    }

    @Test
    void aPlaceThatAWorkerFreesGoesToAnotherThatSleeps() throws InterruptedException {
        RunBoundDesk desk = new RunBoundDesk(10, Map.of());
        Job outside = desk.submit(0, 1, OUTSIDE);
        Job far = desk.submit(0, 1, FAR);
        desk.claim(OUTSIDE, 1);
        RemoteClaiming waiting = desk.remote.begin(desk.of(FAR, 1));
        Thread worker = Thread.ofVirtual().start(() -> {
            try {
                boolean _ = waiting.await(Duration.ofMinutes(10));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        while (worker.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        desk.end(outside);

        assertTrue(worker.join(Duration.ofMinutes(1)), "nobody has woken it");
        assertEquals(
                List.of(far.name.activation()),
                waiting.end().stream().map(task -> task.call().activation()).toList());
    }

    /** What comes or goes meanwhile changes nothing of whose turn it is. */
    @Test
    void whoStandsAsideKeepsTheTurn() {
        for (boolean comes : new boolean[] {true, false}) {
            RunBoundDesk desk = new RunBoundDesk(10, Map.of());
            Job here = desk.submit(0, 1, WORK);
            Job first = desk.submit(0, 1, NARROW);
            Job more = desk.submit(0, 1, NARROW);
            Job second = desk.submit(0, 1, WORK);
            if (comes) {
                desk.submit(0, 1, NARROW);
            } else {
                assertTrue(desk.withdraw(more));
            }

            desk.end(here);

            assertTrue(first.going, desk.begun::toString);
            assertFalse(second.going);
        }
    }

    /** The run goes on in another version of its workflow. */
    @Test
    void aBoundThatRisesLetsBeginWhatWaits() {
        RunBoundDesk desk = new RunBoundDesk(10, Map.of());
        desk.submit(0, 1, WORK);
        List<Job> waiting = List.of(desk.submit(0, 1, WORK), desk.submit(0, 1, WORK));
        assertEquals(1, desk.going(0));

        Job elsewhere = desk.submit(0, 4, NARROW);

        assertTrue(waiting.stream().allMatch(job -> job.going), waiting::toString);
        assertTrue(elsewhere.going);
        assertFalse(desk.submit(0, 1, NARROW).going, "and one that falls lets what goes on end first");
    }

    @Test
    void aBoundThatRisesWakesEachWorkerThatSleeps() {
        RunBoundDesk desk = new RunBoundDesk(10, Map.of());
        desk.submit(0, 1, WORK);
        List<Job> waiting = List.of(desk.submit(0, 1, OUTSIDE), desk.submit(0, 1, OUTSIDE));
        desk.sleep(OUTSIDE);
        desk.sleep(OUTSIDE);

        desk.submit(0, 4, NARROW);

        assertTrue(waiting.stream().allMatch(job -> job.going), waiting::toString);
        assertFalse(desk.isAwaited(OUTSIDE));
    }

    /** A node before has handed it out: it goes on, and counts. */
    @Test
    void whatAWorkerHasFromBeforeTakesAPlaceEvenIfThereIsNone() {
        RunBoundDesk desk = new RunBoundDesk(10, Map.of());
        Job here = desk.submit(0, 1, WORK);
        Job outside = desk.submit(0, 1, OUTSIDE);

        assertInstanceOf(RemoteBeat.Held.class, desk.remote.heartbeat(outside.name, "dead-1", Duration.ofHours(1)));
        outside.going = true;
        Job next = desk.submit(0, 1, WORK);
        desk.end(here);
        assertFalse(next.going, "the worker's is still there");

        desk.end(outside);
        assertTrue(next.going);
        desk.end(next);
        assertEquals(0, desk.runs.size());
    }
}
