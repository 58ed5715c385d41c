package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.limit.Gates;
import dev.flowstone.engine.limit.WorkClass;
import dev.flowstone.engine.limit.WorkClasses;
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
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;

/**
 * Hands attempts to handlers, at most so many at once in all, by name, of one run, and of transactions together. What has no place
 * waits, each handler's attempts of one tenant in order, handlers and tenants taking turns, so that a slow one holds up only
 * itself. Thread-safe.
 */
public final class TaskDispatcher {
    private static final System.Logger LOG = System.getLogger(TaskDispatcher.class.getName());

    /** So many handlers are started by one of their threads. */
    private static final int MANY = 8;

    private static final String NOT_STARTED = "NOT_STARTED";
    private static final TaskOutcome RETURNED = TaskOutcome.of(new TaskAnswer.Returned());

    private final HandlerRegistry handlers;
    private final PayloadReader payloads;
    private final Transactions transactions;
    private final TaskConfig config;
    private final WorkClasses classes;
    private final TaskOutcomes outcomes;
    private final PostedMessages messages;
    private final RunHistory history;
    private final Links links;
    private final Requesters requesters;
    private final RemoteTasks remote;
    private final Clock clock;
    private final TaskObserver observer;
    private final Tracer tracer;
    private final Executor executor;
    private final Gates gates;
    private final Condition idle;
    private final Lanes lanes;
    private volatile boolean stopped;

    /**
     * Nothing waits yet.
     *
     * @param messages what one-way attempts have sent
     * @param openSooner is told that {@link #open} is to be called earlier than it last said; it must not wait for anything
     */
    public TaskDispatcher(
            HandlerRegistry handlers,
            PayloadReader payloads,
            Transactions transactions,
            RunReader reader,
            PostedMessages messages,
            TaskConfig config,
            WorkClasses classes,
            Clock clock,
            TaskObserver observer,
            Tracer tracer,
            Executor executor,
            Runnable openSooner) {
        this.handlers = requireNonNull(handlers);
        this.payloads = requireNonNull(payloads);
        this.transactions = requireNonNull(transactions);
        this.config = requireNonNull(config);
        this.classes = requireNonNull(classes);
        this.outcomes = new TaskOutcomes(config);
        this.messages = requireNonNull(messages);
        this.history = new RunHistory(reader);
        this.links = new Links(history, payloads);
        this.requesters = new Requesters(history);
        this.gates = new Gates(config.limits(), clock, openSooner);
        this.idle = gates.condition();
        this.clock = requireNonNull(clock);
        this.observer = requireNonNull(observer);
        RunPlaces runs = new RunPlaces();
        this.remote = new RemoteTasks(handlers, payloads, outcomes, links, clock, gates, runs, observer);
        this.tracer = requireNonNull(tracer);
        this.executor = requireNonNull(executor);
        this.lanes = new Lanes(
                gates,
                runs,
                config.concurrency(),
                name -> handlers.transactional(name).isPresent(),
                Math.max(1, transactions.atOnce()),
                task -> gates.then(new Launch(task)));
    }

    /** Starts handlers that have their places, in order; one that can't be started holds up none. */
    public void start(List<Runnable> starts) {
        if (starts.size() >= MANY && executor instanceof VirtualThreads threads) {
            try {
                threads.execute(() -> startEach(starts));
                return;
            } catch (RejectedExecutionException | Error e) {
                LOG.log(Level.WARNING, "there is no thread that starts handlers", e);
            }
        }
        startEach(starts);
    }

    private static void startEach(List<Runnable> starts) {
        for (Runnable start : starts) {
            try {
                start.run();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.ERROR, "a handler could not be started", e);
            }
        }
    }

    /** Whether the attempt is made in a transaction with its run's subject (R17). */
    public boolean isTransactional(Attempt attempt) {
        return handlers.transactional(attempt.handler()).isPresent();
    }

    /**
     * An attempt that is made in a transaction, for a run that is checked out under this lease; ready to be submitted. It waits for
     * none of its run's places: what frees them is decided only when the run is back.
     */
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
        return new TaskRun(state.tenant(), state.program().workflow(), attempt.handler(), call, call::giveUp, results)
                .in(workClass(state));
    }

    /** What actions there are. */
    public HandlerRegistry handlers() {
        return handlers;
    }

    /** Whether the attempt sends a message and waits for nothing. */
    public boolean isOneWay(Attempt attempt) {
        return handlers.oneWay(attempt.handler()).isPresent();
    }

    /** A one-way attempt that was scheduled before, by whomever; ready to be submitted. */
    public TaskRun prepareOneWay(RunState state, Attempt attempt, Consumer<TaskOutcome> results) {
        PostedBefore posted = new PostedBefore(
                handlers.oneWay(attempt.handler()).orElseThrow(),
                messages,
                history,
                payloads,
                outcomes,
                new RunKey(state.tenant(), state.run()),
                state.program().workflow(),
                state.correlation(),
                attempt);
        return new TaskRun(
                        state.tenant(),
                        state.program().workflow(),
                        attempt.handler(),
                        posted,
                        outcome -> results.accept(isNotStarted(outcome) ? RETURNED : outcome))
                .in(workClass(state))
                .within(RunBound.of(state));
    }

    /** A retry would send another message. */
    private static boolean isNotStarted(TaskOutcome outcome) {
        return outcome.answer() instanceof TaskAnswer.Failed failed
                && failed.error().code().equals(NOT_STARTED);
    }

    /** How urgent what a run does is. */
    public WorkClass workClass(RunState state) {
        return classes.of(state.program().workflow());
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
                            state.tenant(),
                            state.program().workflow(),
                            attempt.handler(),
                            task -> new RemoteEntry(
                                    remote, name, state.program().workflow(), state.correlation(), attempt, task),
                            results)
                    .in(workClass(state))
                    .within(RunBound.of(state));
        }
        HandlerCall call = new HandlerCall(
                handlers,
                payloads,
                outcomes,
                links,
                requesters.of(state.tenant(), state.run(), state.parentage()),
                new AttemptScope(tracer, state, attempt),
                state.tenant(),
                state.program().workflow(),
                state.run(),
                state.correlation(),
                attempt,
                Templates.of(state.program(), attempt.activation()));
        TaskRun task = new TaskRun(state.tenant(), state.program().workflow(), attempt.handler(), call, results);
        call.canceledBy(task::isUnwanted);
        return task.in(workClass(state)).within(RunBound.of(state));
    }

    /** Starts it, now or when there is a place; after {@link #stop} it comes back unused. */
    public void submit(TaskRun task) {
        submit(task, Runnable::run);
    }

    /**
     * The same for one of many.
     *
     * @param starts is given each start of a handler that has its place, to be handed to {@link #start} soon
     */
    public void submit(TaskRun task, Consumer<Runnable> starts) {
        task.submitted(clock.now());
        if (task.isRemote()) {
            task.offer();
            return;
        }
        boolean refused = gates.change(
                () -> {
                    if (!stopped) {
                        task.waitsAt(this::leave, this::makeRoom);
                        lanes.add(task);
                    }
                    return stopped;
                },
                starts);
        if (refused) {
            task.refuse(TaskOutcome.of(new TaskAnswer.Returned()));
        }
    }

    /** Takes one back that has not begun: it never will, and its place is free. False, and nothing happens, if it has. */
    public boolean withdraw(TaskRun task) {
        return task.withdraw();
    }

    /** It waits no more, if it did. */
    private boolean leave(TaskRun task) {
        return gates.change(() -> lanes.remove(task));
    }

    /** Its run has its place back. */
    private void makeRoom(TaskRun task) {
        gates.change(() -> lanes.makeRoom(task));
    }

    /** Lets begin what time has allowed, where limits are rates; answers when to call it again. */
    public Instant open() {
        return gates.open();
    }

    /** Whether there are limits that are rates. */
    public boolean isPaced() {
        return gates.isPaced();
    }

    /** How results become what a run is told. */
    public TaskOutcomes outcomes() {
        return outcomes;
    }

    /** Attempts that wait for a place in this process. */
    public int waiting() {
        return gates.look(lanes::waiting);
    }

    /** Handlers that run. */
    public int running() {
        return gates.look(lanes::running);
    }

    /** Whether actions are registered, and attempts of them begin: not any more once it stops. Looks at nothing that waits. */
    public boolean isOpen() {
        return !stopped && !handlers.actions().isEmpty();
    }

    /** How busy handlers and workers are; looks at every attempt that waits, or that a worker has. */
    public TaskLoad load() {
        return gates.look(() -> lanes.load(remote.load()));
    }

    /**
     * Whether so many wait that this tenant should begin nothing new: here, or for workers outside, more than the bound in all,
     * and more than its equal share of it of this tenant. Who has filled up a limit, or has no workers, stops no other.
     */
    public boolean isOverloaded(TenantId tenant) {
        return gates.look(() -> lanes.isOverloaded(tenant, config.backlog()))
                || remote.isOverloaded(tenant, config.backlog());
    }

    /** Starts nothing more: what waits, and what is submitted from now on, comes back unused. Handlers go on. */
    public void stop() {
        remote.stop();
        List<TaskRun> unstarted = gates.change(() -> {
            stopped = true;
            idle.signalAll();
            return lanes.clear();
        });
        for (TaskRun task : unstarted) {
            task.refuse(TaskOutcome.of(new TaskAnswer.Returned()));
        }
    }

    /** Waits, in real time, until no handler runs; false if some still do. */
    public boolean awaitIdle(long nanos) throws InterruptedException {
        return gates.await(idle, nanos, () -> lanes.running() == 0);
    }

    /** Gives a handler its thread. Where there is none, its place is the next one's, whose turn is after this one's and not within it. */
    private final class Launch implements Runnable {
        private final TaskRun task;

        Launch(TaskRun task) {
            this.task = task;
        }

        @Override
        public void run() {
            ArrayDeque<Runnable> launches = new ArrayDeque<>();
            launches.add(this);
            while (!launches.isEmpty()) {
                switch (launches.remove()) {
                    case Launch next -> next.launch(launches::add);
                    case Runnable other -> other.run();
                }
            }
        }

        private void launch(Consumer<Runnable> others) {
            try {
                executor.execute(new HandlerExecution(task, clock, observer, () -> ended(task, Runnable::run)));
            } catch (RejectedExecutionException | Error e) {
                // An error too is this one's alone, such as having no memory for its thread: others are to be launched
                // yet.
                try {
                    ended(task, others);
                } finally {
                    task.refuse(
                            TaskOutcome.failed(FailureClass.RETRYABLE, NOT_STARTED, "the node takes no more handlers"));
                }
            }
        }
    }

    private void ended(TaskRun task, Consumer<Runnable> next) {
        gates.change(
                () -> {
                    lanes.ended(task);
                    if (lanes.running() == 0) {
                        idle.signalAll();
                    }
                    return true;
                },
                next);
    }
}
