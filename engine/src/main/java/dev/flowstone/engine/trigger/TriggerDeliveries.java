package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What came for triggers, and what became of it; kept for a declared time. Thread-safe. */
public interface TriggerDeliveries {
    /**
     * Writes what came, of whichever tenants, in one transaction. Safe to repeat.
     *
     * @return the ids of those that are now there; the others' bytes were sent before
     */
    Set<UUID> claim(List<Arrival> arrivals) throws JournalException;

    /** Writes what became of them, in one transaction. */
    void settle(List<Settled> settled) throws JournalException;

    /**
     * Those of a trigger, the newest first, at most a page.
     *
     * @param before the last of the page before
     */
    List<Delivery> list(TriggerKey trigger, Optional<UUID> before, int limit) throws JournalException;

    /** What became of one. */
    record Settled(TriggerKey trigger, UUID id, Result result) {
        public Settled {
            requireNonNull(trigger);
            requireNonNull(id);
            requireNonNull(result);
        }
    }

    /**
     * What came, and what became of it.
     *
     * @param result empty while it is worked on, or if its node went away meanwhile
     */
    record Delivery(Arrival arrival, Optional<Result> result) {
        public Delivery {
            requireNonNull(arrival);
            requireNonNull(result);
        }
    }
}
