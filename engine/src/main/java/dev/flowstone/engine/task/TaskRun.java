package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.limit.Permit;
import dev.flowstone.engine.limit.WorkClass;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt in the hands of this node, from its dispatch to its end. Whoever gave it may abandon it: its thread is then
 * interrupted and only a success is still passed on (rule R12), because its failure has been answered for already.
 */
public final class TaskRun {
    /** How an attempt ends that was canceled before it began. */
    public static final TaskOutcome CANCELED =
            TaskOutcome.failed(FailureClass.PERMANENT, "CANCELED", "canceled before it began");

    private final TenantId tenant;
    private final WorkflowId workflow;
    private final HandlerName handler;
    private final Supplier<Optional<TaskOutcome>> work;
    private final BooleanSupplier mayEnd;
    private final Consumer<TaskOutcome> results;
    private final @Nullable RemoteEntry entry;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread thread;
    private boolean abandoned;
    private boolean canceled;
    private boolean unfinished;
    private volatile boolean withdrawn;
    private volatile @Nullable Instant startedAt;
    private volatile Instant submittedAt = Instant.MAX;
    private volatile Predicate<TaskRun> leave = _ -> false;
    private volatile Consumer<TaskRun> makesRoom = _ -> {};

    private WorkClass workClass = WorkClass.LATENCY_SENSITIVE;
    private @Nullable RunBound bound;

    /** Of its run, if that has a bound; null before it waits. Guarded by its gates. */
    @Nullable
    RunPlace place;

    /** That it goes on, in this process; null before. Guarded by its gates. */
    @Nullable
    Permit permit;

    /**
     * A run of one attempt.
     *
     * @param work does it all and never throws an exception
     * @param results is told how it ended, on the handler's thread
     */
    public TaskRun(
            TenantId tenant,
            WorkflowId workflow,
            HandlerName handler,
            Supplier<TaskOutcome> work,
            Consumer<TaskOutcome> results) {
        this(tenant, workflow, handler, () -> Optional.of(work.get()), () -> true, results);
    }

    /**
     * A run of one attempt that may be beyond giving up, and may take more than one call.
     *
     * @param work goes on with it; empty if it is to be called again after a pause
     * @param mayEnd whether it has no effect from now on, if that is what is asked; after a yes it has none
     */
    TaskRun(
            TenantId tenant,
            WorkflowId workflow,
            HandlerName handler,
            Supplier<Optional<TaskOutcome>> work,
            BooleanSupplier mayEnd,
            Consumer<TaskOutcome> results) {
        this.tenant = requireNonNull(tenant);
        this.workflow = requireNonNull(workflow);
        this.handler = requireNonNull(handler);
        this.work = requireNonNull(work);
        this.mayEnd = requireNonNull(mayEnd);
        this.results = requireNonNull(results);
        this.entry = null;
    }

    /** A run of one attempt that a worker in another process makes. */
    TaskRun(
            TenantId tenant,
            WorkflowId workflow,
            HandlerName handler,
            Function<TaskRun, RemoteEntry> entry,
            Consumer<TaskOutcome> results) {
        this.tenant = requireNonNull(tenant);
        this.workflow = requireNonNull(workflow);
        this.handler = requireNonNull(handler);
        this.work = Optional::empty;
        this.mayEnd = () -> true;
        this.results = requireNonNull(results);
        this.entry = entry.apply(this);
    }

    boolean isRemote() {
        return entry != null;
    }

    /** It waits from now on. */
    void submitted(Instant now) {
        submittedAt = now;
    }

    /** Of a run of this class; said before it is submitted. */
    TaskRun in(WorkClass ofRun) {
        workClass = ofRun;
        return this;
    }

    /** Of a run with this bound, if any; said before it is submitted. */
    TaskRun within(Optional<RunBound> ofRun) {
        bound = ofRun.orElse(null);
        return this;
    }

    @Nullable
    RunBound bound() {
        return bound;
    }

    Instant submittedAt() {
        return submittedAt;
    }

    /**
     * It waits for a place in this process.
     *
     * @param leaves takes it away from there; false if it isn't there any more
     * @param abandoned lets its run do something else in its place, though its handler may go on
     */
    void waitsAt(Predicate<TaskRun> leaves, Consumer<TaskRun> abandoned) {
        leave = leaves;
        makesRoom = abandoned;
    }

    /** How long it waited before it began; nothing if it hasn't. */
    Duration waited() {
        Instant begun = startedAt;
        return begun == null || begun.isBefore(submittedAt) ? Duration.ZERO : Duration.between(submittedAt, begun);
    }

    /** Lets workers have it. */
    void offer() {
        if (entry != null) {
            entry.desk.offer(entry);
        }
    }

    /** A worker begins it; false if nobody wants it to begin any more. */
    boolean take(Instant now) {
        lock.lock();
        try {
            if (abandoned || canceled) {
                return false;
            }
            startedAt = now;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * It has been answered for, by whomever: it waits no more. A handler in this process isn't told, if it has begun: it holds
     * its place until it ends.
     */
    public void settled() {
        if (entry != null) {
            entry.desk.over(entry);
        } else if (startedAt == null) {
            boolean _ = leave.test(this);
        }
    }

    TenantId tenant() {
        return tenant;
    }

    WorkflowId workflow() {
        return workflow;
    }

    WorkClass workClass() {
        return workClass;
    }

    HandlerName handler() {
        return handler;
    }

    /** When its handler began; empty while it waits for a place. */
    public Optional<Instant> startedAt() {
        return Optional.ofNullable(startedAt);
    }

    /**
     * Interrupts the handler, now or as soon as it begins. One that goes on all the same has its place in this process until it ends,
     * and none of its run's: what comes after it there doesn't wait for it.
     */
    public void abandon() {
        lock.lock();
        try {
            abandoned = true;
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
        settled();
        makesRoom.accept(this);
    }

    /** Abandons it because its time is up; false, and nothing happens, if its effect is about to be durable. */
    public boolean giveUp() {
        if (!mayEnd.getAsBoolean()) {
            return false;
        }
        abandon();
        return true;
    }

    /**
     * Asks the handler to end early because nobody wants its result any more. Its answer is still wanted: the run waits
     * for it. One that hasn't begun answers without running.
     */
    public void cancel() {
        lock.lock();
        try {
            canceled = true;
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
        if (entry != null) {
            entry.desk.canceled(entry);
        } else if (leave.test(this)) {
            answer(CANCELED);
        }
    }

    /** Takes it back, unless its handler has begun: it never will, and nothing answers for it but who took it back. */
    boolean withdraw() {
        lock.lock();
        try {
            if (startedAt != null || abandoned) {
                return false;
            }
            abandoned = true;
            withdrawn = true;
        } finally {
            lock.unlock();
        }
        settled();
        return true;
    }

    /** Calls its handler; null if it was abandoned before, or isn't over. */
    @Nullable
    TaskOutcome call(Clock clock, TaskObserver observer) {
        boolean begun = unfinished;
        unfinished = false;
        if (!begin(clock)) {
            return null;
        }
        try {
            if (!begun) {
                observer.began(handler, waited());
            }
            // One that has begun isn't undone by being canceled: what came of it counts.
            Optional<TaskOutcome> outcome = !begun && isCanceled() ? Optional.of(CANCELED) : work.get();
            unfinished = outcome.isEmpty();
            return outcome.orElse(null);
        } finally {
            end();
        }
    }

    /** Whether it is to be called again. */
    boolean isUnfinished() {
        return unfinished;
    }

    /** Lets time pass before it is called again; false if nobody waits for it any more: its node stops, or has lost the shard. */
    boolean pause() {
        lock.lock();
        try {
            thread = Thread.currentThread();
            if (abandoned) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        try {
            Thread.sleep(HandlerExecution.PAUSE);
            return true;
        } catch (InterruptedException e) {
            return isCanceled();
        } finally {
            end();
        }
    }

    /** Passes on what the handler answered, if it still counts. */
    void answer(TaskOutcome outcome) {
        if (!isAbandoned() || outcome.answer() instanceof TaskAnswer.Ok) {
            results.accept(outcome);
        }
    }

    /** Answers for it without running it. */
    void refuse(TaskOutcome outcome) {
        if (!withdrawn) {
            results.accept(outcome);
        }
    }

    private boolean begin(Clock clock) {
        lock.lock();
        try {
            if (startedAt == null && !abandoned) {
                startedAt = clock.now();
            }
            thread = Thread.currentThread();
            return !abandoned;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            thread = null;
            // A late interrupt must not reach what runs on this thread next.
            clearInterrupt();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ReturnValueIgnored")
    private static void clearInterrupt() {
        Thread.interrupted();
    }

    boolean isCanceled() {
        lock.lock();
        try {
            return canceled;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it should end early: its run is canceled, or somebody else has answered for it. */
    boolean isUnwanted() {
        return isCanceled() || isAbandoned();
    }

    private boolean isAbandoned() {
        lock.lock();
        try {
            return abandoned;
        } finally {
            lock.unlock();
        }
    }
}
