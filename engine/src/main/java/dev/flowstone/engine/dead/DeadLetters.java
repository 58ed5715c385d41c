package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.effect.OutboxControl.Done;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What people see of dead letters, and what they do with them; of one tenant, under row-level security. Every answer is bounded.
 * What is done is recorded for ever beside them, one row a letter. Messages of the outbox are not among them.
 */
public interface DeadLetters {
    /** There are none. */
    DeadLetters NONE = new DeadLetters() {};

    /** By id, after one, at most a page. */
    default List<DeadLetter> list(TenantId tenant, Filter filter, long after, int limit) throws JournalException {
        return List.of();
    }

    default Optional<DeadLetter> find(TenantId tenant, long id) throws JournalException {
        return Optional.empty();
    }

    /** What was done to one, the newest first, also if it is gone. */
    default List<Done> deeds(TenantId tenant, long id, int limit) throws JournalException {
        return List.of();
    }

    /**
     * Has letters tried again, in the order of {@link #list}: their retries count anew. The first is due at once.
     *
     * @param apart how much later each is due than the one before it
     * @return how many, at most the limit
     */
    default int requeue(TenantId tenant, Filter filter, int limit, Duration apart, Deed deed) throws JournalException {
        return 0;
    }

    /**
     * Removes letters, in the order of {@link #list}. An attempt that is under way may succeed all the same.
     *
     * @return how many, at most the limit
     */
    default int purge(TenantId tenant, Filter filter, int limit, Deed deed) throws JournalException {
        return 0;
    }

    /**
     * Which letters; what is empty is any.
     *
     * @param failedBefore last, before then
     */
    record Filter(
            Optional<DeadSource> source,
            Optional<DeadReason> reason,
            Optional<DeadLetter.State> state,
            Optional<RunId> run,
            OptionalLong id,
            Optional<Instant> failedBefore) {
        /** Any. */
        public static final Filter ALL = new Filter(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty());

        public Filter {
            requireNonNull(source);
            requireNonNull(reason);
            requireNonNull(state);
            requireNonNull(run);
            requireNonNull(id);
            requireNonNull(failedBefore);
        }

        /** One letter. */
        public static Filter of(long id) {
            return new Filter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.of(id),
                    Optional.empty());
        }
    }
}
