package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.id.HandlerName;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt as an executor gets it. Most executors run it. One that plays with time takes its two halves apart: the
 * {@link #call}, in which the handler has its effect, and the {@link #answer}, which may follow long after or, if the node
 * dies between them, never.
 */
public final class HandlerExecution implements Runnable {
    /** Between two calls of one that isn't over with the first. */
    public static final Duration PAUSE = Duration.ofSeconds(1);

    private final TaskRun task;
    private final Clock clock;
    private final TaskObserver observer;
    private final Runnable ended;
    private @Nullable TaskOutcome outcome;

    HandlerExecution(TaskRun task, Clock clock, TaskObserver observer, Runnable ended) {
        this.task = requireNonNull(task);
        this.clock = requireNonNull(clock);
        this.observer = requireNonNull(observer);
        this.ended = requireNonNull(ended);
    }

    /** What it does. */
    public HandlerName action() {
        return task.handler();
    }

    @Override
    public void run() {
        try {
            boolean again = call();
            while (again && task.pause()) {
                again = call();
            }
        } finally {
            answer();
        }
    }

    /**
     * Calls the handler, unless nobody wants it to begin any more. True if nobody knows yet what came of that, or it is too
     * early to say so: then it is to be called again, {@link #PAUSE} later.
     */
    public boolean call() {
        outcome = task.call(clock, observer);
        return task.isUnfinished();
    }

    /** Passes on what the handler answered, if it was called, and gives its place to the next one. */
    public void answer() {
        try {
            if (outcome != null) {
                Instant end = clock.now();
                Duration took = Duration.between(task.startedAt().orElse(end), end);
                task.answer(outcome);
                observer.attempted(task.handler(), took, outcome.answer());
            }
        } finally {
            ended.run();
        }
    }
}
