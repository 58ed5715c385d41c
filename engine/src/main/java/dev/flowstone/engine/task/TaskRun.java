package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
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

    /**
     * A run of one attempt.
     *
     * @param work does it all and never throws an exception
     * @param results is told how it ended, on the handler's thread
     */
    public TaskRun(
            WorkflowId workflow, HandlerName handler, Supplier<TaskOutcome> work, Consumer<TaskOutcome> results) {
        this(workflow, handler, () -> Optional.of(work.get()), () -> true, results);
    }

    /**
     * A run of one attempt that may be beyond giving up, and may take more than one call.
     *
     * @param work goes on with it; empty if it is to be called again after a pause
     * @param mayEnd whether it has no effect from now on, if that is what is asked; after a yes it has none
     */
    TaskRun(
            WorkflowId workflow,
            HandlerName handler,
            Supplier<Optional<TaskOutcome>> work,
            BooleanSupplier mayEnd,
            Consumer<TaskOutcome> results) {
        this.workflow = requireNonNull(workflow);
        this.handler = requireNonNull(handler);
        this.work = requireNonNull(work);
        this.mayEnd = requireNonNull(mayEnd);
        this.results = requireNonNull(results);
        this.entry = null;
    }

    /** A run of one attempt that a worker in another process makes. */
    TaskRun(
            WorkflowId workflow,
            HandlerName handler,
            Function<TaskRun, RemoteEntry> entry,
            Consumer<TaskOutcome> results) {
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

    /** It has been answered for, by whomever. A handler in this process isn't told: it holds its place until it ends. */
    public void settled() {
        if (entry != null) {
            entry.desk.over(entry);
        }
    }

    WorkflowId workflow() {
        return workflow;
    }

    HandlerName handler() {
        return handler;
    }

    /** When its handler began; empty while it waits for a place. */
    public Optional<Instant> startedAt() {
        return Optional.ofNullable(startedAt);
    }

    /** Interrupts the handler, now or as soon as it begins. */
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
    TaskOutcome call(Clock clock) {
        boolean begun = unfinished;
        unfinished = false;
        if (!begin(clock)) {
            return null;
        }
        try {
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

    private boolean isAbandoned() {
        lock.lock();
        try {
            return abandoned;
        } finally {
            lock.unlock();
        }
    }
}
