package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.limit.Gates;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Attempt;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A run never has more attempts at once than its program says, and never fewer than it could have. */
final class RunBoundTest {
    private static final int SEEDS = 300;
    private static final int STEPS = 300;
    private static final TenantId ACME = new TenantId("acme");
    private static final WorkflowId WORKFLOW = new WorkflowId("w");
    private static final HandlerName WORK = new HandlerName("a.work");
    private static final HandlerName NARROW = new HandlerName("a.narrow");
    private static final HandlerName OUTSIDE = new HandlerName("r.outside");
    private static final HandlerName FAR = new HandlerName("r.far");

    /** One node's handlers and workers. */
    private static final class Desk {
        final RunPlaces runs = new RunPlaces();
        final Gates gates;
        final Lanes lanes;
        final RemoteTasks remote;
        final List<Job> jobs = new ArrayList<>();
        final Map<TaskRun, Job> byTask = new HashMap<>();
        final Map<RemoteName, Job> byName = new HashMap<>();
        final List<Job> begun = new ArrayList<>();
        final Map<HandlerName, Integer> limits;
        final int concurrency;
        int next;

        Desk(int concurrency, Map<HandlerName, Integer> limits) {
            this.concurrency = concurrency;
            this.limits = limits;
            Clock clock = () -> Instant.EPOCH;
            gates = new Gates(
                    limits.entrySet().stream()
                            .map(limit -> ActionLimit.atOnce(limit.getKey().value(), limit.getValue()))
                            .toList(),
                    clock,
                    () -> {});
            remote = new RemoteTasks(
                    HandlerRegistry.builder().build(),
                    new PayloadReader(none(Journal.class)),
                    new TaskOutcomes(TaskConfig.DEFAULT),
                    new Links(new RunHistory(none(RunReader.class)), new PayloadReader(none(Journal.class))),
                    clock,
                    gates,
                    runs,
                    Observer.NONE);
            lanes = new Lanes(gates, runs, concurrency, _ -> false, 1, this::begins);
        }

        private static <T> T none(Class<T> port) {
            return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (_, _, _) -> {
                throw new IllegalStateException("nobody reads here");
            }));
        }

        private void begins(TaskRun task) {
            begins(requireNonNull(byTask.get(task)));
        }

        private void begins(Job job) {
            job.going = true;
            begun.add(job);
        }

        static boolean isRemote(HandlerName action) {
            return action.value().startsWith("r.");
        }

        /** @param most of the run; 0 for a run without a bound */
        Job submit(int run, int most, HandlerName action) {
            RunKey key = new RunKey(ACME, new RunId(new UUID(0x7000L, 0x8000_0000_0000_0000L + run)));
            ActivationId activation = new ActivationId(new NodeId("n" + next), 1);
            RemoteName name = new RemoteName(key, activation, 1);
            Attempt attempt = new Attempt(
                    activation, 1, action, Payload.of(JsonObject.EMPTY), Duration.ofMinutes(1), Sha256.ZERO, false);
            TaskRun task = isRemote(action)
                    ? new TaskRun(
                            ACME,
                            WORKFLOW,
                            action,
                            made -> new RemoteEntry(remote, name, WORKFLOW, "c", attempt, made),
                            _ -> {})
                    : new TaskRun(ACME, WORKFLOW, action, () -> TaskOutcome.of(new TaskAnswer.Returned()), _ -> {});
            task.within(most == 0 ? Optional.empty() : Optional.of(new RunBound(key, most)));
            Job job = new Job(next++, run, most, name, task);
            jobs.add(job);
            byTask.put(task, job);
            byName.put(name, job);
            if (task.isRemote()) {
                task.offer();
            } else {
                gates.change(() -> lanes.add(task));
            }
            return job;
        }

        List<Job> claim(HandlerName action, int most) {
            try {
                List<RemoteTask> claimed = remote.claim(
                        new RemoteClaim(ACME, "w", List.of(action), most, Duration.ofHours(1)), Duration.ZERO);
                List<Job> got = claimed.stream()
                        .map(task -> requireNonNull(byName.get(new RemoteName(
                                new RunKey(ACME, task.call().run()), task.call().activation(), 1))))
                        .toList();
                got.forEach(this::begins);
                return got;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void end(Job job) {
            job.going = false;
            jobs.remove(job);
            if (job.task.isRemote()) {
                job.task.settled();
            } else {
                gates.change(() -> lanes.ended(job.task));
            }
        }

        boolean withdraw(Job job) {
            boolean waited = !job.going;
            if (waited) {
                jobs.remove(job);
                if (job.task.isRemote()) {
                    job.task.settled();
                } else {
                    gates.change(() -> {
                        boolean _ = lanes.remove(job.task);
                    });
                }
            }
            return waited;
        }

        long going(int run) {
            return jobs.stream().filter(job -> job.going && job.run == run).count();
        }

        boolean hasRoom(Job job) {
            long ofAction = jobs.stream()
                    .filter(other -> other.going && other.action().equals(job.action()))
                    .count();
            long here = jobs.stream()
                    .filter(other -> other.going && !other.task.isRemote())
                    .count();
            return (job.most == 0 || going(job.run) < job.most)
                    && ofAction < limits.getOrDefault(job.action(), Integer.MAX_VALUE)
                    && (job.task.isRemote() || here < concurrency);
        }
    }

    /** One attempt. */
    private static final class Job {
        final int number;
        final int run;
        final int most;
        final RemoteName name;
        final TaskRun task;
        boolean going;

        Job(int number, int run, int most, RemoteName name, TaskRun task) {
            this.number = number;
            this.run = run;
            this.most = most;
            this.name = name;
            this.task = task;
        }

        HandlerName action() {
            return task.handler();
        }

        @Override
        public String toString() {
            return "#" + number + " of run " + run + " (" + most + "), " + action();
        }
    }

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
        final Desk desk;
        final String about;
        final int[] most = new int[4];

        Schedule(long seed) {
            dice = new SplittableRandom(seed);
            Map<HandlerName, Integer> limits = new HashMap<>();
            limits.put(NARROW, 1 + dice.nextInt(2));
            if (dice.nextBoolean()) {
                limits.put(OUTSIDE, 1 + dice.nextInt(3));
            }
            desk = new Desk(1 + dice.nextInt(6), limits);
            for (int run = 0; run < most.length - 1; run++) {
                most[run] = 1 + dice.nextInt(3);
            }
            about = "seed " + seed + ", " + limits + ", " + desk.concurrency + " in all";
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                switch (dice.nextInt(10)) {
                    case 0, 1, 2, 3 -> {
                        int run = dice.nextInt(most.length);
                        desk.submit(run, most[run], ACTIONS.get(dice.nextInt(ACTIONS.size())));
                    }
                    case 4, 5, 6 -> any(true).ifPresent(desk::end);
                    case 7 -> any(false).ifPresent(job -> assertTrue(desk.withdraw(job), about));
                    case 8 -> desk.claim(OUTSIDE, 1 + dice.nextInt(4));
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
                assertTrue(
                        job.going || job.task.isRemote() || !desk.hasRoom(job), () -> about + ": could begin: " + job);
            }
            assertEquals(
                    desk.jobs.stream().filter(job -> !job.going).count(),
                    desk.lanes.waiting() + desk.remote.waiting(),
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
        Desk desk = new Desk(2, Map.of());
        for (int i = 0; i < 100; i++) {
            desk.submit(0, 1, WORK);
        }
        Job other = desk.submit(1, 1, WORK);

        assertTrue(other.going);
        assertEquals(1, desk.going(0));
    }

    @Test
    void aRunWithMuchToDoTakesTurnsWithOneThatHasNoBound() {
        Desk desk = new Desk(3, Map.of());
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
        Desk desk = new Desk(10, Map.of(NARROW, 1));
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
        Desk desk = new Desk(10, Map.of());
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

    /** The run goes on in another version of its workflow. */
    @Test
    void aBoundThatRisesLetsBeginWhatWaits() {
        Desk desk = new Desk(10, Map.of());
        desk.submit(0, 1, WORK);
        Job waiting = desk.submit(0, 1, WORK);
        assertFalse(waiting.going);

        Job elsewhere = desk.submit(0, 3, NARROW);

        assertTrue(waiting.going);
        assertTrue(elsewhere.going);
        assertFalse(desk.submit(0, 1, NARROW).going, "and one that falls lets what goes on end first");
    }

    /** A node before has handed it out: it goes on, and counts. */
    @Test
    void whatAWorkerHasFromBeforeTakesAPlaceEvenIfThereIsNone() {
        Desk desk = new Desk(10, Map.of());
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
