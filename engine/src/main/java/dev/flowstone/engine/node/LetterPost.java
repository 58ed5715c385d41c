package dev.flowstone.engine.node;

import dev.flowstone.engine.effect.Inbox;
import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.shard.CommandWork;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trace.Tracer;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Carries letters from loops of this node to whoever owns their receivers: to a loop of this node at once, to another
 * process by way of its inbox, where a letter is as good as delivered. If both ways are gone by letters of one pair, since a
 * shard moved, the receiver's loop looks into its inbox first. Thread-safe.
 */
final class LetterPost {
    private static final System.Logger LOG = System.getLogger(LetterPost.class.getName());

    private final Loops loops;
    private final Inbox inbox;
    private final Clock clock;
    private final Tracer tracer;
    private final Executor executor;

    /** Grows whenever a letter that counts as delivered may lie in the inbox of a shard of ours, before those that follow it. */
    private final AtomicLong handovers = new AtomicLong();

    LetterPost(Loops loops, EngineParts parts) {
        this.loops = loops;
        this.inbox = parts.ports().inbox();
        this.clock = parts.ports().clock();
        this.tracer = parts.tracer();
        this.executor = parts.executor();
    }

    /** A shard has come to this node, to be told before letters find its loop: others may have left something for it. */
    void shardCame() {
        handovers.incrementAndGet();
    }

    /**
     * Sends one on its way.
     *
     * @param delivered is called once the letter can't be lost any more; until then its sender sends it again
     */
    void send(Letter letter, Runnable delivered) {
        long after = handovers.get();
        ShardLoop loop = receiver(letter);
        if (loop != null) {
            CommandWork work = CommandWork.letter(letter, after, delivered, clock.now());
            work.from(tracer.of(new RunKey(letter.key().tenant(), letter.key().sender())));
            loop.add(work);
        } else {
            executor.execute(() -> leave(letter, delivered));
        }
    }

    private void leave(Letter letter, Runnable delivered) {
        try {
            inbox.accept(LetterMessage.of(letter, clock.now()));
            if (receiver(letter) != null) {
                // The shard came here meanwhile, and may have looked into its inbox already.
                handovers.incrementAndGet();
            }
            delivered.run();
        } catch (JournalException e) {
            // Its shard sends it again.
            LOG.log(Level.WARNING, "the letter " + letter.key() + " waits: " + e.getMessage());
        }
    }

    private @Nullable ShardLoop receiver(Letter letter) {
        return loops.owner(letter.key().receiver().slot());
    }
}
