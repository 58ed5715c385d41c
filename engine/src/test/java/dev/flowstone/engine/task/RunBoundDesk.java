package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

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
import java.util.UUID;

/** One node's handlers and workers, as {@link RunBoundTest} plays with them. */
final class RunBoundDesk {
    private static final TenantId ACME = new TenantId("acme");
    private static final WorkflowId WORKFLOW = new WorkflowId("w");

    final RunPlaces runs = new RunPlaces();
    final Gates gates;
    final Lanes lanes;
    final RemoteTasks remote;
    final List<Job> jobs = new ArrayList<>();
    final Map<TaskRun, Job> byTask = new HashMap<>();
    final Map<RemoteName, Job> byName = new HashMap<>();
    final List<Job> begun = new ArrayList<>();
    private final List<Sleeper> sleeping = new ArrayList<>();
    final Map<HandlerName, Integer> limits;
    final int concurrency;
    int next;

    RunBoundDesk(int concurrency, Map<HandlerName, Integer> limits) {
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
        task.submitted(Instant.EPOCH.plusSeconds(next));
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
        wake();
        return job;
    }

    List<Job> claim(HandlerName action, int most) {
        try {
            List<RemoteTask> claimed = remote.claim(of(action, most), Duration.ZERO);
            return begun(claimed);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    RemoteClaim of(HandlerName action, int most) {
        return new RemoteClaim(ACME, "w", List.of(action), most, Duration.ofHours(1));
    }

    private List<Job> begun(List<RemoteTask> claimed) {
        List<Job> got = claimed.stream()
                .map(task -> requireNonNull(byName.get(new RemoteName(
                        new RunKey(ACME, task.call().run()), task.call().activation(), 1))))
                .toList();
        got.forEach(this::begins);
        return got;
    }

    /** A worker takes one, or waits until there is one for it. */
    void sleep(HandlerName action) {
        sleeping.add(new Sleeper(action, remote.begin(of(action, 1))));
        wake();
    }

    /** Whether a worker waits for such an attempt. */
    boolean isAwaited(HandlerName action) {
        return sleeping.stream().anyMatch(sleeper -> sleeper.action.equals(action));
    }

    /** Who has got something goes on with it: who has waited longest got it first. */
    private void wake() {
        for (Sleeper sleeper : List.copyOf(sleeping)) {
            if (sleeper.claiming.isOver()) {
                sleeping.remove(sleeper);
                begun(sleeper.claiming.end());
            }
        }
    }

    /** A worker that waits. */
    private record Sleeper(HandlerName action, RemoteClaiming claiming) {}

    void end(Job job) {
        job.going = false;
        jobs.remove(job);
        if (job.task.isRemote()) {
            job.task.settled();
        } else {
            gates.change(() -> lanes.ended(job.task));
        }
        wake();
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
            wake();
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

    /** One attempt. */
    static final class Job {
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
}
