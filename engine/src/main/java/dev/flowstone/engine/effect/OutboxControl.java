package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What people look at in the outbox, and what they do with dead letters; of one tenant, under row-level security. Every answer
 * is bounded. What is done is recorded for ever beside it, one row a message, with who did it.
 */
public interface OutboxControl {
    /** Of an outbox that shows nobody anything. */
    OutboxControl NONE = new OutboxControl() {};

    /** Messages that have not left, by run, event and number, after one, at most a page; without their content. */
    default List<Entry> list(TenantId tenant, Filter filter, Optional<OutboxKey> after, int limit)
            throws JournalException {
        return List.of();
    }

    /** One message with all that is known of it; empty if nothing is. */
    default Optional<Story> story(OutboxKey key) throws JournalException {
        return Optional.empty();
    }

    /**
     * Puts dead letters back, in the order of {@link #list}: their attempts count anew, and the evidence of those before
     * stays. The first is due at once.
     *
     * @param filter only dead ones are meant, whatever it says
     * @param apart how much later each is due than the one before it
     * @return how many, at most the limit
     */
    default int requeue(TenantId tenant, Filter filter, int limit, Duration apart, Deed deed) throws JournalException {
        return 0;
    }

    /**
     * Removes dead letters, in the order of {@link #list}; the evidence of their attempts stays.
     *
     * @param filter only dead ones are meant, whatever it says
     * @return how many, at most the limit
     */
    default int purge(TenantId tenant, Filter filter, int limit, Deed deed) throws JournalException {
        return 0;
    }

    /** Who does it, and why. */
    record Deed(Actor actor, String reason) {
        public Deed {
            requireNonNull(actor);
            requireNonNull(reason);
        }
    }

    /** Where a message is. */
    enum State {
        /** It will be tried, at its time. */
        PENDING,
        /** It won't be tried by itself. */
        DEAD,
        /** It has left, or was purged: only its evidence is here. */
        GONE
    }

    /**
     * Which messages; what is empty is any.
     *
     * @param reason of the dead
     * @param failedBefore last tried without success before then; where nobody has told when that was, due before then
     */
    record Filter(
            Optional<State> state,
            Optional<String> destination,
            Optional<Outbox.DeathReason> reason,
            Optional<RunId> run,
            Optional<OutboxKey> key,
            Optional<Instant> failedBefore) {
        /** Any. */
        public static final Filter ALL = new Filter(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        public Filter {
            requireNonNull(state);
            requireNonNull(destination);
            requireNonNull(reason);
            requireNonNull(run);
            requireNonNull(key);
            requireNonNull(failedBefore);
        }

        /** One message. */
        public static Filter of(OutboxKey key) {
            return new Filter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(key.run().run()),
                    Optional.of(key),
                    Optional.empty());
        }
    }

    /**
     * A message that has not left.
     *
     * @param attempts all that were made
     * @param dueAt when it is tried next, if it is pending
     * @param reason why it is dead, if it is
     * @param error what went wrong last
     * @param failedAt when it was tried last; empty if it never was
     */
    record Entry(
            OutboxKey key,
            String destination,
            State state,
            int attempts,
            Instant dueAt,
            Optional<Outbox.DeathReason> reason,
            Optional<String> error,
            Optional<Instant> failedAt) {
        public Entry {
            requireNonNull(key);
            requireNonNull(destination);
            requireNonNull(state);
            requireNonNull(dueAt);
            requireNonNull(reason);
            requireNonNull(error);
            requireNonNull(failedAt);
        }
    }

    /**
     * Everything of one message.
     *
     * @param entry empty if it is gone
     * @param content likewise
     * @param attempts the newest first, at most {@value #MOST_TOLD}
     * @param deeds the newest first, likewise
     */
    record Story(Optional<Entry> entry, Optional<JsonObject> content, List<Attempt> attempts, List<Done> deeds) {
        /** More are not told. */
        public static final int MOST_TOLD = 200;

        public Story {
            requireNonNull(entry);
            requireNonNull(content);
            attempts = List.copyOf(attempts);
            deeds = List.copyOf(deeds);
        }
    }

    /** How an attempt ended. */
    enum Outcome {
        DELIVERED,
        POSTPONED,
        DEAD
    }

    /** Evidence of one attempt. */
    record Attempt(
            int attempt,
            String destination,
            Instant begunAt,
            Duration took,
            Outcome outcome,
            Optional<Integer> status,
            Optional<String> error) {
        public Attempt {
            requireNonNull(destination);
            requireNonNull(begunAt);
            requireNonNull(took);
            requireNonNull(outcome);
            requireNonNull(status);
            requireNonNull(error);
        }
    }

    /** What is done to dead letters. */
    enum Act {
        REQUEUE,
        PURGE
    }

    /** What was done to a message. */
    record Done(Act act, Instant at, Deed deed) {
        public Done {
            requireNonNull(act);
            requireNonNull(at);
            requireNonNull(deed);
        }
    }
}
