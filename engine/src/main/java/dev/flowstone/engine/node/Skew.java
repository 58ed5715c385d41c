package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.shard.ShardLoad;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether load is spread evenly over what bears it, and who has most of it.
 *
 * @param busiest its name; empty if nothing waits
 * @param most that it has
 * @param mean that all have, those included that have nothing
 * @param oldest how long the one has waited that has waited longest, wherever it is
 */
public record Skew(Of of, String busiest, double most, double mean, Duration oldest) {
    public Skew {
        requireNonNull(of);
        requireNonNull(busiest);
        requireNonNull(oldest);
    }

    /** What may be out of step. */
    public enum Of {
        /** What waits to be decided, by shard. */
        SHARD("shard"),
        /** Starts and calls that wait, by tenant. */
        TENANT("tenant"),
        /** Attempts that wait for a place, a worker or a limit, by action. */
        QUEUE("queue"),
        /** Seconds by which timers are late, by shard. */
        TIMERS("timers");

        private final String text;

        Of(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Of the busiest over the mean; 1 if all are alike, or there is but one. */
    public double share() {
        return mean == 0 ? 1 : most / mean;
    }

    /** Everything of one node, in the order of {@link Of}. */
    public static List<Skew> of(NodeLoad load, Instant now) {
        List<ShardLoad> shards = load.shards();
        Map<String, Double> tenants = shards.stream()
                .flatMap(shard -> shard.tenants().entrySet().stream())
                .collect(Collectors.toMap(
                        tenant -> tenant.getKey().value(), tenant -> (double) tenant.getValue(), Double::sum));
        Map<String, Double> queues = load.tasks().queues().entrySet().stream()
                .collect(Collectors.toMap(queue -> queue.getKey().value(), queue ->
                        (double) queue.getValue().waiting()));
        Duration undecided = longest(shards.stream().map(ShardLoad::since), now);
        Duration unbegun = longest(load.tasks().queues().values().stream().map(queue -> queue.since()), now);
        Duration late =
                shards.stream().map(ShardLoad::late).max(Duration::compareTo).orElse(Duration.ZERO);
        return List.of(
                of(Of.SHARD, byShard(shards, ShardLoad::waiting), undecided),
                of(Of.TENANT, tenants, undecided),
                of(Of.QUEUE, queues, unbegun),
                of(Of.TIMERS, byShard(shards, shard -> shard.late().toMillis() / 1_000.0), late));
    }

    private static Skew of(Of of, Map<String, Double> amounts, Duration oldest) {
        double sum = amounts.values().stream().mapToDouble(Double::doubleValue).sum();
        return amounts.entrySet().stream()
                .filter(one -> one.getValue() > 0)
                .max(Map.Entry.<String, Double>comparingByValue()
                        .thenComparing(
                                Map.Entry.<String, Double>comparingByKey().reversed()))
                .map(most -> new Skew(of, most.getKey(), most.getValue(), sum / amounts.size(), oldest))
                .orElseGet(() -> new Skew(of, "", 0, 0, oldest));
    }

    private static Map<String, Double> byShard(List<ShardLoad> shards, ToDoubleFunction<ShardLoad> amount) {
        return shards.stream().collect(Collectors.toMap(shard -> shard.shard().toString(), amount::applyAsDouble));
    }

    private static Duration longest(Stream<Instant> since, Instant now) {
        return since.filter(now::isAfter)
                .map(at -> Duration.between(at, now))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** By how much the clock is ahead of the database's, or behind if that is negative, where it is most. */
    public static Duration clock(NodeLoad load) {
        return load.shards().stream()
                .map(ShardLoad::ahead)
                .max((a, b) -> a.abs().compareTo(b.abs()))
                .orElse(Duration.ZERO);
    }
}
