package dev.flowstone.server.peer;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.server.http.Border;
import dev.flowstone.server.http.Forwarded;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** Answers what other nodes leave in the database for this one: looks twice a second, and again at once while there is more. */
final class PostOffice implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PostOffice.class.getName());
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int AT_ONCE = 64;

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
        while (!closed) {
            int taken = 0;
            try {
                taken = take();
            } catch (JournalException | RuntimeException e) {
                LOG.log(Level.DEBUG, () -> "calls of other nodes wait: " + e.getMessage());
            }
            if (taken == 0) {
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
                    answer(posted);
                } finally {
                    places.release();
                }
            });
        }
        return calls.size();
    }

    private void answer(PostBox.Posted posted) {
        try {
            Forwarded call = PostedCall.call(posted.asked());
            Map<String, String> who = Map.of(CallerHeader.NAME, CallerHeader.text(call.caller()));
            box.answer(posted.call(), PostedCall.bytes(border.answer(call, who)));
        } catch (JournalException | IOException | IllegalArgumentException e) {
            LOG.log(Level.WARNING, "a call that another node has left can't be answered: " + e.getMessage());
        }
    }

    /** Takes no more; what it has taken it answers. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
