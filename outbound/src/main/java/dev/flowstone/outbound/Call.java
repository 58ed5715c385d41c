package dev.flowstone.outbound;

import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.jspecify.annotations.Nullable;

/** A call under way, and how another thread ends it: what is running is cut off, and what begins afterwards is at once. */
final class Call {
    private final Deadline deadline;
    private volatile boolean ended;
    private volatile @Nullable HttpUriRequestBase running;

    Call(Deadline deadline) {
        this.deadline = deadline;
    }

    Deadline deadline() {
        return deadline;
    }

    void begins(HttpUriRequestBase request) {
        running = request;
        if (ended) {
            request.cancel();
        }
    }

    /** Closes the socket under whoever connects, sends or reads. */
    void end() {
        ended = true;
        HttpUriRequestBase request = running;
        if (request != null) {
            request.cancel();
        }
    }
}
