package dev.flowstone.server.peer;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.engine.time.TimeLeft;
import dev.flowstone.server.http.Border;
import dev.flowstone.server.http.Forwarded;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.Reply;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Answers what other nodes leave in the database for this one: looks twice a second, and again at once while there is more. */
final class PostOffice {
    private static final System.Logger LOG = System.getLogger(PostOffice.class.getName());
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration SWEEP = Duration.ofMinutes(1);
    private static final int AT_ONCE = 64;
    private static final int TRIES = 5;

    private final PostBox box;
    private final String node;
    private final Border border;
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Thread thread;
    private volatile boolean closed;

    private PostOffice(PostBox box, String node, Border border) {
        this.box = requireNonNull(box);
        this.node = requireNonNull(node);
        this.border = requireNonNull(border);
        this.thread = Thread.ofVirtual().name("flowstone-post").unstarted(this::look);
    }

    static PostOffice open(PostBox box, String node, Border border) {
        PostOffice office = new PostOffice(box, node, border);
        office.thread.start();
        return office;
    }

    private void look() {
        long swept = System.nanoTime();
        while (!closed) {
            int taken = 0;
            try {
                taken = take();
                if (System.nanoTime() - swept > SWEEP.toNanos()) {
                    swept = System.nanoTime();
                    box.sweep();
                }
            } catch (JournalException | RuntimeException e) {
                LOG.log(Level.DEBUG, () -> "calls of other nodes wait: " + e.getMessage());
            }
            if (taken == 0 && !closed) {
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private int take() throws JournalException {
        int room = places.availablePermits();
        List<PostBox.Posted> calls = room == 0 ? List.of() : box.take(node, room);
        for (PostBox.Posted posted : calls) {
            places.acquireUninterruptibly();
            Thread.startVirtualThread(() -> {
                try {
                    tell(posted.call(), answer(posted));
                } finally {
                    places.release();
                    LockSupport.unpark(thread);
                }
            });
        }
        return calls.size();
    }

    private Reply answer(PostBox.Posted posted) {
        try {
            Forwarded call = PostedCall.call(posted.asked());
            return border.answer(call, Map.of(CallerHeader.NAME, CallerHeader.text(call.caller())));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "a call that another node has left can't be read: " + e.getMessage());
            return Problem.of(
                            ProblemCode.BUSY,
                            "the node that has this execution is of another release; nothing was done")
                    .retryAfter(PAUSE)
                    .reply("");
        }
    }

    /** It is done already: nobody but the database knows what was said, so the answer is told until that has heard. */
    private void tell(UUID call, Reply reply) {
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            try {
                box.answer(call, PostedCall.bytes(reply));
                return;
            } catch (JournalException | IOException e) {
                LOG.log(Level.WARNING, "the answer to a call that another node has left waits: " + e.getMessage());
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** Takes no more. Returns at once; what it has taken it still answers. */
    void end() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Waits, after {@link #end}, until all that it has taken is answered, for so long at most. */
    void await(Duration time) {
        TimeLeft left = TimeLeft.of(time);
        try {
            if (!left.join(thread)) {
                // It waits for a database that is away.
                thread.interrupt();
            }
            if (!places.tryAcquire(AT_ONCE, left.left().toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.log(Level.WARNING, "calls of other nodes are left without an answer");
            } else {
                places.release(AT_ONCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
