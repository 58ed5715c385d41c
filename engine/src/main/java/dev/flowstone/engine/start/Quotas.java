package dev.flowstone.engine.start;

import dev.flowstone.engine.time.Pace;
import dev.flowstone.kernel.id.TenantId;
import java.util.Map;

/**
 * What one tenant may ask of a node, so that it doesn't crowd out others.
 *
 * @param startsPerSecond of each tenant that {@code rates} doesn't name; 0 for no limit, else a millionth at least
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
            if (!isWeight(weight)) {
                throw new IllegalArgumentException("a weight is a number from 1 to " + HEAVIEST + ", not " + weight);
            }
        }
    }

    /** Whether it is a rate: none, or one that can be kept. */
    public static boolean isRate(double rate) {
        return Pace.isRate(rate);
    }

    public static boolean isWeight(int weight) {
        return weight >= 1 && weight <= HEAVIEST;
    }

    private static void check(double rate) {
        if (!isRate(rate)) {
            throw new IllegalArgumentException(
                    "a rate is 0 or from 0.000001 to a billion starts a second, not " + rate);
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
