package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.task.TransactionRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where a command came from: what its events are stamped with, and who is told how it went. */
sealed interface Origin {
    /** The engine itself: timers, results of its handlers, continuations. */
    record Engine() implements Origin {}

    /** Another process, by a message that is consumed in the commit that the command becomes part of. */
    record Inbound(InboxMessage whole) implements Origin {
        public Inbound {
            requireNonNull(whole);
        }

        InboxKey message() {
            return whole.key();
        }
    }

    /**
     * Another run.
     *
     * @param correlation of the sender
     * @param whole the message that brought it from another process
     * @param after if none did: what came to the inbox before this moment of its node goes first, see {@link Intake}
     * @param delivered is told once it has been decided, durably
     */
    record Post(LetterKey letter, String correlation, Optional<InboxMessage> whole, long after, Runnable delivered)
            implements Origin {
        public Post {
            requireNonNull(letter);
            requireNonNull(correlation);
            requireNonNull(whole);
            requireNonNull(delivered);
        }
    }

    /** A caller outside, who waits for the answer. */
    record Caller(CallRequest request, Optional<ReceiptKey> receipt, CompletableFuture<CallAnswer> answer)
            implements Origin {
        public Caller {
            requireNonNull(request);
            requireNonNull(receipt);
            requireNonNull(answer);
        }
    }

    /** The message that brought it, if one did. */
    default Optional<InboxKey> inbox() {
        return switch (this) {
            case Engine _, Caller _ -> Optional.empty();
            case Inbound inbound -> Optional.of(inbound.message());
            case Post post -> post.whole().map(InboxMessage::key);
        };
    }

    /** The same, with all that it says. */
    default Optional<InboxMessage> carrier() {
        return switch (this) {
            case Engine _, Caller _ -> Optional.empty();
            case Inbound inbound -> Optional.of(inbound.whole());
            case Post post -> post.whole();
        };
    }

    /** Whether a transaction has recorded it. */
    default boolean isTransaction() {
        return inbox().filter(key -> key.source().equals(TransactionRequest.SOURCE))
                .isPresent();
    }

    /** The receipt that it leaves, if it may be repeated. */
    default Optional<ReceiptKey> receipt() {
        return this instanceof Caller caller ? caller.receipt() : Optional.empty();
    }
}
