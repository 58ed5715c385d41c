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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks a node directly, and leaves the call in the database for it if it can't be reached: a node that others don't reach may
 * still have its lease. What only looks at a node isn't posted; it is of no use later.
 */
final class PostedForwarder implements Forwarder {
    /** A node that lives looks often. One that has died takes nothing, and whoever called is to come again. */
    static final Duration TAKEN = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger(PostedForwarder.class.getName());
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

    private final Forwarder direct;
    private final PostBox box;

    PostedForwarder(Forwarder direct, PostBox box) {
        this.direct = requireNonNull(direct);
        this.box = requireNonNull(box);
    }

    @Override
    public Optional<Reply> forward(Member owner, Forwarded call) {
        Optional<Reply> reply = direct.forward(owner, call);
        return reply.isPresent() || !call.method().mutates() ? reply : post(owner, call);
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
        boolean taken = false;
        while (!Thread.currentThread().isInterrupted()) {
            PostBox.Progress progress = box.look(id);
            if (progress.answer().isPresent()) {
                box.withdraw(id);
                return Optional.of(PostedCall.reply(progress.answer().get()));
            }
            taken |= progress.taken();
            long waited = System.nanoTime() - begin;
            if (!taken && waited > TAKEN.toNanos() && box.withdraw(id)) {
                return Optional.empty();
            }
            if (waited > TAKEN.plus(call.patience()).toNanos()) {
                break;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        box.withdraw(id);
        return Optional.of(PeerClient.unknown(call));
    }
}
