package dev.flowstone.engine.start;

import dev.flowstone.kernel.id.TenantId;
import java.util.Map;

/**
 * What one tenant may ask of a node, so that it doesn't crowd out others.
 *
 * @param startsPerSecond of each tenant that {@code rates} doesn't name, over a second or more; 0 for no limit
 * @param rates the same for some tenants
 * @param weights how many turns a tenant has to another's one while both wait; 1 where nothing is said
 */
public record Quotas(double startsPerSecond, Map<TenantId, Double> rates, Map<TenantId, Integer> weights) {
    /** Nobody is limited, and all are alike. */
    public static final Quotas NONE = new Quotas(0, Map.of(), Map.of());

    /** More turns than these at once would not be turns any more. */
    private static final int HEAVIEST = 100;

    public Quotas {
        rates = Map.copyOf(rates);
        weights = Map.copyOf(weights);
        check(startsPerSecond);
        rates.values().forEach(Quotas::check);
        for (int weight : weights.values()) {
            if (weight < 1 || weight > HEAVIEST) {
                throw new IllegalArgumentException("a weight is a number from 1 to " + HEAVIEST + ", not " + weight);
            }
        }
    }

    private static void check(double rate) {
        if (!(rate >= 0 && rate <= 1e9)) {
            throw new IllegalArgumentException("a rate is a number of starts a second, 0 for no limit, not " + rate);
        }
    }

    /** Starts a second; 0 for no limit. */
    public double rate(TenantId tenant) {
        return rates.getOrDefault(tenant, startsPerSecond);
    }

    public int weight(TenantId tenant) {
        return weights.getOrDefault(tenant, 1);
    }
}
