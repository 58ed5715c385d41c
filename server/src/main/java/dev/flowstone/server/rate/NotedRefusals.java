package dev.flowstone.server.rate;

import dev.flowstone.server.config.RateConfig;

/** How often it is written down that something of a name was refused whose sender nobody knows: whoever floods fills no table. Thread-safe. */
public final class NotedRefusals {
    private static final RateConfig.Rate RATE = new RateConfig.Rate(30, 30);

    private final Buckets buckets = new Buckets(RATE, "refusals that are noted", System::nanoTime);

    /** Whether one more may be. */
    public boolean take(String name) {
        return buckets.take(BudgetKey.of(name)).pause().isEmpty();
    }
}
