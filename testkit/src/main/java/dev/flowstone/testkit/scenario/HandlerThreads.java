package dev.flowstone.testkit.scenario;

import dev.flowstone.engine.task.HandlerExecution;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Handlers that take virtual time. Each has a thread, but one thread at a time runs, whichever was let go on: so a handler
 * that sleeps for an hour holds up nobody, and equal scenarios still give equal histories. Belongs to the thread that
 * steps the engine.
 */
final class HandlerThreads implements AutoCloseable {
    private final VirtualClock clock;
    private final List<Handler> sleeping = new ArrayList<>();

    HandlerThreads(VirtualClock clock) {
        this.clock = clock;
    }

    /** An executor whose work begins where the other one would have done it, and may sleep. */
    Executor over(Executor stepped) {
        return work -> stepped.execute(
                () -> letGo(new Handler(work instanceof HandlerExecution execution ? () -> play(execution) : work)));
    }

    /** As it runs by itself, but that its pauses are of virtual time. */
    private void play(HandlerExecution execution) {
        try {
            boolean again = execution.call();
            while (again) {
                sleepUntil(clock.now().plus(HandlerExecution.PAUSE));
                again = execution.call();
            }
        } catch (InterruptedException e) {
            // Nobody waits for it any more: its node is gone.
        } finally {
            execution.answer();
        }
    }

    /**
     * Sleeps until that virtual time, on a handler's thread.
     *
     * @throws InterruptedException if the engine gave the attempt up
     */
    static void sleepUntil(Instant due) throws InterruptedException {
        if (!(Thread.currentThread() instanceof Handler handler)) {
            throw new IllegalStateException("only a handler sleeps in virtual time");
        }
        handler.sleep(due);
    }

    /** Lets one handler go on whose time has come, or whom the engine gave up; false if there is none. */
    boolean resumeOne() {
        Optional<Handler> next = sleeping.stream()
                .filter(it -> it.givenUp || !it.due.isAfter(clock.now()))
                .min((a, b) -> a.due.compareTo(b.due));
        next.ifPresent(handler -> {
            sleeping.remove(handler);
            letGo(handler);
        });
        return next.isPresent();
    }

    /** When the next one wakes. */
    Instant next() {
        return sleeping.stream().map(it -> it.due).min(Instant::compareTo).orElse(Instant.MAX);
    }

    /** Ends those that still sleep, as if the engine had given them up. */
    @Override
    public void close() {
        while (!sleeping.isEmpty()) {
            sleeping.getFirst().interrupt();
            resumeOne();
        }
    }

    private void letGo(Handler handler) {
        handler.go();
        if (!handler.ended) {
            sleeping.add(handler);
        }
    }

    /**
     * Its fields pass between the two threads with the semaphores. To be interrupted is noted by whoever does it, who
     * steps the engine, and noticed when it is let go on: so that it always happens at the same point of a scenario.
     */
    private static final class Handler extends Thread {
        private final Semaphore mayRun = new Semaphore(0);
        private final Semaphore hasStopped = new Semaphore(0);
        private Instant due = Instant.MIN;
        private boolean ended;
        private boolean givenUp;

        Handler(Runnable work) {
            super(work, "scenario-handler");
            setDaemon(true);
        }

        @Override
        public void run() {
            mayRun.acquireUninterruptibly();
            try {
                super.run();
            } finally {
                ended = true;
                hasStopped.release();
            }
        }

        @Override
        public void interrupt() {
            givenUp = true;
        }

        /** On the stepping thread: until it sleeps or has ended. */
        void go() {
            if (getState() == State.NEW) {
                start();
            }
            mayRun.release();
            hasStopped.acquireUninterruptibly();
        }

        /** On its own thread. */
        void sleep(Instant until) throws InterruptedException {
            due = until;
            hasStopped.release();
            mayRun.acquireUninterruptibly();
            if (givenUp) {
                throw new InterruptedException("the engine gave the attempt up");
            }
        }
    }
}
