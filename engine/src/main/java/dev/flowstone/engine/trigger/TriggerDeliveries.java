package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What came for triggers, and what became of it; kept for a declared time. Thread-safe. */
public interface TriggerDeliveries {
    /**
     * Writes what came, of whichever tenants. Safe to repeat. Of those that were signed for one time under one name one is taken, until
     * it has come to nothing that is for good; one of which nobody knows what became of it gives way, too, since its node may be gone.
     *
     * @return those that are now there; the others' bytes were sent before
     */
    Map<UUID, Claim> claim(List<Arrival> arrivals) throws JournalException;

    /** How something that came was taken. */
    enum Claim {
        FIRST,
        /** An earlier attempt of the same delivery is there, too, which may have started something. */
        AGAIN,
        /** Not at all: its bytes were sent before. */
        REPLAY
    }

    /** Writes what became of them, in one transaction. */
    void settle(List<Settled> settled) throws JournalException;

    /**
     * Those of a trigger, the newest first, at most a page.
     *
     * @param before the last of the page before
     */
    List<Delivery> list(TriggerKey trigger, Optional<UUID> before, int limit) throws JournalException;

    /**
     * What became of one.
     *
     * @param again whether the same bytes are taken once more, since nothing came of them that is for good
     */
    record Settled(TriggerKey trigger, UUID id, Result result, boolean again) {
        /** For good. */
        public Settled(TriggerKey trigger, UUID id, Result result) {
            this(trigger, id, result, false);
        }

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
