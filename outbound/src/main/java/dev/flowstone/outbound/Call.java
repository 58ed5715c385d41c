package dev.flowstone.outbound;

import java.io.InterruptedIOException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.jspecify.annotations.Nullable;

/** A call under way, and how another thread ends it: what is running is cut off, and nothing begins afterwards. */
final class Call {
    private final Deadline deadline;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, as is what runs. */
    private boolean stopped;

    private @Nullable HttpUriRequestBase running;

    Call(Deadline deadline) {
        this.deadline = deadline;
    }

    Deadline deadline() {
        return deadline;
    }

    /**
     * This is sent next.
     *
     * @throws InterruptedIOException if the call was stopped; nothing is sent then
     */
    void begins(HttpUriRequestBase request) throws InterruptedIOException {
        lock.lock();
        try {
            if (stopped) {
                throw new InterruptedIOException("the call was stopped");
            }
            running = request;
        } finally {
            lock.unlock();
        }
    }

    /** Lets nothing begin any more; whether anything has begun, and may have been sent. */
    boolean stop() {
        return halt() != null;
    }

    private @Nullable HttpUriRequestBase halt() {
        lock.lock();
        try {
            stopped = true;
            return running;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the socket under whoever connects, sends or reads. */
    void end() {
        HttpUriRequestBase request = halt();
        if (request != null) {
            request.cancel();
        }
    }
}
