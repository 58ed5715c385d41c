package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;

/** Is told what became of deliveries, on the outbox's thread; it must not throw, and not wait for anything. */
public interface DeliveryObserver {
    /** Nobody watches. */
    DeliveryObserver NONE = new DeliveryObserver() {};

    /** These deliveries of one shard have ended, and that is recorded. */
    default void settled(List<Ended> deliveries) {}

    /**
     * One of them.
     *
     * @param took from its beginning to its end, or to when it was given up
     */
    record Ended(Outbox.Settlement settlement, Duration took) {
        public Ended {
            requireNonNull(settlement);
            requireNonNull(took);
        }
    }
}
