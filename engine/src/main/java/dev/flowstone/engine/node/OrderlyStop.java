package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.time.TimeLeft;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * How an engine with threads ends in good order. Handlers have their grace. All that comes after it has one time, however much of it
 * waits for a database that is away: the last commits, what others do beside them, and giving back the leases. The outbox and dead letters
 * are told to end and not waited for: what they do after that is fenced, or safe to repeat.
 */
final class OrderlyStop {
    private static final System.Logger LOG = System.getLogger(OrderlyStop.class.getName());

    /** A database that answers has the leases back by then, however long all the rest took. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final EngineNode node;
    private final Collection<Thread> shards;
    private final Runnable endThreads;

    /**
     * Once.
     *
     * @param shards those who commit
     * @param endThreads ends the other threads; those that wait are interrupted
     */
    OrderlyStop(EngineNode node, Collection<Thread> shards, Runnable endThreads) {
        this.node = requireNonNull(node);
        this.shards = requireNonNull(shards);
        this.endThreads = requireNonNull(endThreads);
    }

    /**
     * Does it.
     *
     * @param last how long all that comes after the grace may take
     * @param others waits, for what it is told is left of that, for others who need the leases
     */
    void run(Duration grace, Duration last, Consumer<Duration> others) {
        TimeLeft time = TimeLeft.of(Duration.ZERO);
        boolean interrupted = false;
        try {
            node.beginStop();
            interrupted = !hasWaited(grace);
            node.giveBack();
            time = TimeLeft.of(interrupted ? MOMENT : last);
            awaitCommits(time);
            others.accept(time.left());
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            boolean inVain = time.isOver() && !node.reachesLeases();
            endThreads.run();
            node.end();
            // Who waits for a connection would do so for nobody any more; a commit that is under way goes on.
            shards.forEach(Thread::interrupt);
            if (inVain) {
                LOG.log(Level.WARNING, "the database does not answer: leases are left to run out");
            } else {
                release(time.left());
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for handlers; false if it was interrupted: nobody waits for them any more, and they are given back all the same. */
    private boolean hasWaited(Duration grace) {
        try {
            if (!node.dispatcher().awaitIdle(grace.toNanos())) {
                LOG.log(
                        Level.INFO,
                        "handlers still run after the grace; they are interrupted, their attempts given back");
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void awaitCommits(TimeLeft time) throws InterruptedException {
        for (Thread thread : shards) {
            if (!time.join(thread)) {
                LOG.log(Level.WARNING, thread.getName() + " can't commit its end; what is open will count as lost");
            }
        }
    }

    /** Waits for it, but not for a database that is away. */
    private void release(Duration left) {
        Thread release =
                Thread.ofPlatform().name("flowstone-release").daemon(true).start(node::release);
        boolean interrupted = Thread.interrupted();
        try {
            if (!release.join(left.compareTo(MOMENT) < 0 ? MOMENT : left)) {
                release.interrupt();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
