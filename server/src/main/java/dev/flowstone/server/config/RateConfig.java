package dev.flowstone.server.config;

import static java.util.Objects.requireNonNull;

/**
 * How many calls one node lets in.
 *
 * @param calls of each caller
 * @param operators calls of those who run the installation, all together
 * @param workers calls of each caller for workers' routes
 * @param webhooks what each webhook's sender sends, and as much of all that proves nothing
 * @param executions starts of each workflow of a tenant
 * @param loose whether that holds for callers without a token, too
 */
public record RateConfig(Rate calls, Rate operators, Rate workers, Rate webhooks, Rate executions, boolean loose) {
    public RateConfig {
        requireNonNull(calls);
        requireNonNull(operators);
        requireNonNull(workers);
        requireNonNull(webhooks);
        requireNonNull(executions);
    }

    /**
     * One of them.
     *
     * @param perMinute evenly; 0 for any number
     * @param burst that may come at once
     */
    public record Rate(int perMinute, int burst) {
        public Rate {
            if (perMinute < 0 || burst < 1) {
                throw new IllegalArgumentException("a rate is 0 or more a minute, and 1 or more at once");
            }
        }

        public boolean isLimit() {
            return perMinute > 0;
        }
    }
}
