package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An attempt in this worker's hands, from its claim until the server knows what came of it. Thread-safe. */
final class Held {
    final Offer offer;
    final Server server;
    private final long endsAt;
    private final List<Link> links = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread thread;
    private volatile String lease;
    private volatile boolean canceled;
    private volatile boolean gone;
    private volatile boolean through;
    private volatile boolean lent;
    private boolean ended;

    Held(Offer offer, Server server) {
        this.offer = requireNonNull(offer);
        this.server = requireNonNull(server);
        this.lease = offer.lease();
        long left =
                offer.timeout().compareTo(Span.LONGEST) < 0 ? offer.timeout().toNanos() : Span.LONGEST.toNanos();
        this.endsAt = System.nanoTime() + left;
    }

    String lease() {
        return lease;
    }

    /** Taken over by a server that was started again. */
    void renewed(String other) {
        lease = other;
    }

    boolean isCanceled() {
        return canceled;
    }

    /** Whether nobody but a success is waited for any more. */
    boolean isGone() {
        return gone;
    }

    boolean isLate() {
        return endsAt - System.nanoTime() <= 0;
    }

    void begins(Thread by) {
        lock.lock();
        try {
            thread = by;
            if (canceled || gone) {
                by.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The handler is through: nobody interrupts its thread any more.
     *
     * @return false if it was ended before, by being given back
     */
    boolean ends() {
        lock.lock();
        try {
            boolean first = !ended;
            ended = true;
            thread = null;
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Asks it to end early; its answer is waited for. */
    void cancel() {
        if (!canceled) {
            canceled = true;
            interrupt();
        }
    }

    /** The server has given up on it. */
    void lose() {
        if (!gone) {
            gone = true;
            interrupt();
        }
    }

    private void interrupt() {
        lock.lock();
        try {
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Its answer, if it has one, is on its way. */
    void through() {
        through = true;
    }

    /** Its place is another's meanwhile; said by whoever has its answer at the moment, and by nobody else. */
    void lends() {
        lent = true;
    }

    boolean hasLent() {
        return lent;
    }

    boolean isRunning() {
        return !through;
    }

    /**
     * Ends it for this worker, whatever its handler does from now on.
     *
     * @return false if the handler was through before: then its answer counts
     */
    boolean interruptForGood() {
        lock.lock();
        try {
            boolean first = !ended;
            if (first && thread != null) {
                thread.interrupt();
            }
            ended = true;
            thread = null;
            return first;
        } finally {
            lock.unlock();
        }
    }

    void link(Link link) {
        lock.lock();
        try {
            links.add(link);
        } finally {
            lock.unlock();
        }
    }

    List<Link> links() {
        lock.lock();
        try {
            return List.copyOf(links);
        } finally {
            lock.unlock();
        }
    }
}
