package dev.flowstone.server.peer;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.server.http.Forwarded;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.Reply;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks a node directly, and leaves the call in the database for it if it can't be reached: a node that others don't reach may
 * still have its lease. Of calls that wait there only so many are looked after at a time, since each asks the database again and
 * again; others are told to come again.
 */
final class PostedForwarder implements Forwarder {
    /** A node that lives looks often. One that has died takes nothing, and whoever called is to come again. */
    static final Duration TAKEN = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger(PostedForwarder.class.getName());
    private static final Duration FIRST_LOOK = Duration.ofMillis(40);
    private static final Duration LAST_LOOK = Duration.ofMillis(500);
    private static final int AT_ONCE = 64;

    private final Forwarder direct;
    private final PostBox box;
    private final Semaphore places = new Semaphore(AT_ONCE);

    PostedForwarder(Forwarder direct, PostBox box) {
        this.direct = requireNonNull(direct);
        this.box = requireNonNull(box);
    }

    @Override
    public Optional<Reply> forwardAtOnce(Member other, Forwarded call) {
        return direct.forward(other, call);
    }

    @Override
    public Optional<Reply> forward(Member owner, Forwarded call) {
        Optional<Reply> reply = direct.forward(owner, call);
        boolean looksForCalls = !owner.address().isEmpty();
        if (reply.isPresent() || !looksForCalls || !call.method().mutates() || !places.tryAcquire()) {
            return reply;
        }
        try {
            return post(owner, call);
        } finally {
            places.release();
        }
    }

    private Optional<Reply> post(Member owner, Forwarded call) {
        UUID id = UUID.randomUUID();
        try {
            box.post(id, owner.name(), PostedCall.bytes(call), TAKEN);
            return await(id, call);
        } catch (JournalException | IOException e) {
            LOG.log(Level.WARNING, "a call for node " + owner.name() + " waits in vain: " + e.getMessage());
            return Optional.of(PeerClient.unknown(call));
        }
    }

    private Optional<Reply> await(UUID id, Forwarded call) throws JournalException, IOException {
        long begin = System.nanoTime();
        Duration pause = FIRST_LOOK;
        while (!Thread.currentThread().isInterrupted()) {
            Optional<PostBox.Progress> progress = box.look(id);
            if (progress.isEmpty()) {
                break;
            }
            if (progress.get().answer().isPresent()) {
                box.remove(id);
                return Optional.of(PostedCall.reply(progress.get().answer().get()));
            }
            Duration waited = Duration.ofNanos(System.nanoTime() - begin);
            if (!progress.get().taken() && waited.compareTo(TAKEN) > 0 && box.withdraw(id)) {
                return Optional.empty();
            }
            if (waited.compareTo(TAKEN.plus(call.patience())) > 0) {
                break;
            }
            LockSupport.parkNanos(pause.toNanos());
            pause = pause.multipliedBy(2).compareTo(LAST_LOOK) < 0 ? pause.multipliedBy(2) : LAST_LOOK;
        }
        box.remove(id);
        return Optional.of(PeerClient.unknown(call));
    }
}
