package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands attempts to handlers, at most so many at once in all and by name. What has no place waits, each handler's attempts
 * in order, handlers taking turns, so that a slow one holds up only itself. Thread-safe.
 */
public final class TaskDispatcher {
    private static final int TRANSACTIONS = 4;

    private final HandlerRegistry handlers;
    private final PayloadReader payloads;
    private final Transactions transactions;
    private final TaskConfig config;
    private final TaskOutcomes outcomes;
    private final Links links;
    private final Clock clock;
    private final TaskObserver observer;
    private final Tracer tracer;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private final Map<HandlerName, Lane> lanes = new HashMap<>();
    private final ArrayDeque<Lane> ready = new ArrayDeque<>();
    private int running;
    private int waiting;
    private boolean stopped;

    public TaskDispatcher(
            HandlerRegistry handlers,
            PayloadReader payloads,
            Transactions transactions,
            RunReader runs,
            TaskConfig config,
            Clock clock,
            TaskObserver observer,
            Tracer tracer,
            Executor executor) {
        this.handlers = requireNonNull(handlers);
        this.payloads = requireNonNull(payloads);
        this.transactions = requireNonNull(transactions);
        this.config = requireNonNull(config);
        this.outcomes = new TaskOutcomes(config);
        this.links = new Links(new RunHistory(runs), payloads);
        this.clock = requireNonNull(clock);
        this.observer = requireNonNull(observer);
        this.tracer = requireNonNull(tracer);
        this.executor = requireNonNull(executor);
    }

    /** Whether the attempt is made in a transaction with its run's subject (R17). */
    public boolean isTransactional(Attempt attempt) {
        return handlers.transactional(attempt.handler()).isPresent();
    }

    /** An attempt that is made in a transaction, for a run that is checked out under this lease; ready to be submitted. */
    public TaskRun prepare(RunState state, Attempt attempt, Lease lease, Consumer<TaskOutcome> results) {
        TransactionCall call = new TransactionCall(
                handlers.transactional(attempt.handler()).orElseThrow(),
                payloads,
                outcomes,
                transactions,
                lease,
                new AttemptScope(tracer, state, attempt),
                state,
                attempt);
        return new TaskRun(state.program().workflow(), attempt.handler(), call, call::giveUp, results);
    }

    /** An attempt of a run, ready to be submitted. */
    public TaskRun prepare(RunState state, Attempt attempt, Consumer<TaskOutcome> results) {
        HandlerCall call = new HandlerCall(
                handlers,
                payloads,
                outcomes,
                links,
                new AttemptScope(tracer, state, attempt),
                state.tenant(),
                state.program().workflow(),
                state.run(),
                state.correlation(),
                attempt);
        return new TaskRun(state.program().workflow(), attempt.handler(), call, results);
    }

    /** Starts it, now or when there is a place; after {@link #stop} it comes back unused. */
    public void submit(TaskRun task) {
        List<TaskRun> starting = new ArrayList<>(1);
        boolean refused;
        lock.lock();
        try {
            refused = stopped;
            if (!refused) {
                Lane lane = lanes.computeIfAbsent(task.handler(), name -> new Lane(limit(name)));
                lane.waiting.add(task);
                waiting++;
                enlist(lane);
                place(starting);
            }
        } finally {
            lock.unlock();
        }
        if (refused) {
            task.refuse(TaskOutcome.of(new TaskAnswer.Returned()));
        }
        starting.forEach(this::launch);
    }

    /** Takes one back that has not begun: it never will, and its place is free. False, and nothing happens, if it has. */
    public boolean withdraw(TaskRun task) {
        if (!task.withdraw()) {
            return false;
        }
        lock.lock();
        try {
            @Nullable Lane lane = lanes.get(task.handler());
            boolean waited = lane != null && lane.waiting.remove(task);
            waiting -= waited ? 1 : 0;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** How results become what a run is told. */
    public TaskOutcomes outcomes() {
        return outcomes;
    }

    /** Attempts that wait for a place. */
    public int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Handlers that run. */
    public int running() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }

    /** How busy the handlers are; looks at every attempt that waits. */
    public TaskLoad load() {
        Map<HandlerName, TaskLoad.Lane> byHandler = new HashMap<>();
        Map<WorkflowId, Integer> byWorkflow = new HashMap<>();
        lock.lock();
        try {
            lanes.forEach((name, lane) -> {
                byHandler.put(name, new TaskLoad.Lane(lane.running, lane.waiting.size(), lane.limit));
                lane.waiting.forEach(task -> byWorkflow.merge(task.workflow(), 1, Integer::sum));
            });
        } finally {
            lock.unlock();
        }
        return new TaskLoad(config.concurrency(), byHandler, byWorkflow);
    }

    /** Whether so many wait that nothing new should begin. */
    public boolean overloaded() {
        return waiting() > config.backlog();
    }

    /** Starts nothing more: what waits, and what is submitted from now on, comes back unused. Handlers go on. */
    public void stop() {
        List<TaskRun> unstarted = new ArrayList<>();
        lock.lock();
        try {
            stopped = true;
            for (Lane lane : lanes.values()) {
                unstarted.addAll(lane.waiting);
                lane.waiting.clear();
            }
            waiting = 0;
            ready.clear();
            idle.signalAll();
        } finally {
            lock.unlock();
        }
        for (TaskRun task : unstarted) {
            task.refuse(TaskOutcome.of(new TaskAnswer.Returned()));
        }
    }

    /** Waits, in real time, until no handler runs; false if some still do. */
    public boolean awaitIdle(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (running > 0) {
                if (left <= 0) {
                    return false;
                }
                left = idle.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void launch(TaskRun task) {
        try {
            executor.execute(new HandlerExecution(task, clock, observer, () -> ended(task)));
        } catch (RejectedExecutionException e) {
            ended(task);
            task.refuse(TaskOutcome.failed(FailureClass.RETRYABLE, "NOT_STARTED", "the node takes no more handlers"));
        }
    }

    private void ended(TaskRun task) {
        List<TaskRun> starting = new ArrayList<>(1);
        lock.lock();
        try {
            running--;
            @Nullable Lane lane = lanes.get(task.handler());
            if (lane != null) {
                lane.running--;
                enlist(lane);
            }
            place(starting);
            if (running == 0) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
        starting.forEach(this::launch);
    }

    /** Transactions hold connections of the database: a few at once, unless somebody has said how many. */
    private int limit(HandlerName name) {
        boolean bounded =
                handlers.transactional(name).isPresent() && !config.perHandler().containsKey(name);
        return bounded ? Math.min(config.limit(name), TRANSACTIONS) : config.limit(name);
    }

    private void enlist(Lane lane) {
        if (!lane.enlisted && !lane.waiting.isEmpty() && lane.running < lane.limit) {
            lane.enlisted = true;
            ready.add(lane);
        }
    }

    private void place(List<TaskRun> starting) {
        while (running < config.concurrency()) {
            Lane lane = ready.poll();
            if (lane == null) {
                return;
            }
            lane.enlisted = false;
            TaskRun task = lane.waiting.poll();
            if (task != null) {
                waiting--;
                running++;
                lane.running++;
                starting.add(task);
                enlist(lane);
            }
        }
    }

    /** One handler's queue. */
    private static final class Lane {
        final int limit;
        final ArrayDeque<TaskRun> waiting = new ArrayDeque<>();
        int running;
        boolean enlisted;

        Lane(int limit) {
            this.limit = limit;
        }
    }
}
