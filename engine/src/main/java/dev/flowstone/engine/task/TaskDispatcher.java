package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Hands attempts to handlers, at most so many at once in all, by name, and of transactions together. What has no place
 * waits, each handler's attempts in order, handlers taking turns, so that a slow one holds up only itself. Thread-safe.
 */
public final class TaskDispatcher {
    private final HandlerRegistry handlers;
    private final PayloadReader payloads;
    private final Transactions transactions;
    private final TaskConfig config;
    private final TaskOutcomes outcomes;
    private final Links links;
    private final RemoteTasks remote;
    private final Clock clock;
    private final TaskObserver observer;
    private final Tracer tracer;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private final Lanes lanes;
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
        this.remote = new RemoteTasks(handlers, payloads, outcomes, links, clock);
        this.clock = requireNonNull(clock);
        this.observer = requireNonNull(observer);
        this.tracer = requireNonNull(tracer);
        this.executor = requireNonNull(executor);
        this.lanes =
                new Lanes(config, name -> handlers.transactional(name).isPresent(), Math.max(1, transactions.atOnce()));
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

    /** What workers in other processes do. */
    public RemoteTasks remote() {
        return remote;
    }

    /** An attempt of a run, ready to be submitted. */
    public TaskRun prepare(RunState state, Attempt attempt, Consumer<TaskOutcome> results) {
        if (handlers.isRemote(attempt.handler())) {
            RemoteName name =
                    new RemoteName(new RunKey(state.tenant(), state.run()), attempt.activation(), attempt.attempt());
            return new TaskRun(
                    state.program().workflow(),
                    attempt.handler(),
                    task -> new RemoteEntry(
                            remote, name, state.program().workflow(), state.correlation(), attempt, task),
                    results);
        }
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
        if (task.isRemote()) {
            task.offer();
            return;
        }
        List<TaskRun> starting = List.of();
        boolean refused;
        lock.lock();
        try {
            refused = stopped;
            if (!refused) {
                lanes.add(task);
                starting = lanes.place();
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
        if (task.isRemote()) {
            return true;
        }
        lock.lock();
        try {
            lanes.remove(task);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** How results become what a run is told. */
    public TaskOutcomes outcomes() {
        return outcomes;
    }

    /** Attempts that wait for a place in this process. */
    public int waiting() {
        lock.lock();
        try {
            return lanes.waiting();
        } finally {
            lock.unlock();
        }
    }

    /** Handlers that run. */
    public int running() {
        lock.lock();
        try {
            return lanes.running();
        } finally {
            lock.unlock();
        }
    }

    /** How busy the handlers are; looks at every attempt that waits. */
    public TaskLoad load() {
        lock.lock();
        try {
            return lanes.load();
        } finally {
            lock.unlock();
        }
    }

    /** Whether so many wait that this tenant should begin nothing new. What waits for workers outside is counted for each. */
    public boolean isOverloaded(TenantId tenant) {
        return waiting() > config.backlog() || remote.isOverloaded(tenant, config.backlog());
    }

    /** Starts nothing more: what waits, and what is submitted from now on, comes back unused. Handlers go on. */
    public void stop() {
        remote.stop();
        List<TaskRun> unstarted;
        lock.lock();
        try {
            stopped = true;
            unstarted = lanes.clear();
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
            while (lanes.running() > 0) {
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
        List<TaskRun> starting;
        lock.lock();
        try {
            lanes.ended(task);
            starting = lanes.place();
            if (lanes.running() == 0) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
        starting.forEach(this::launch);
    }
}
