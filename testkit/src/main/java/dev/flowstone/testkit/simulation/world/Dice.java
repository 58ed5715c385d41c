package dev.flowstone.testkit.simulation.world;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** Chance, by a seed: the same seed throws the same for ever. */
public final class Dice {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final SplittableRandom random;

    /** Dice of one purpose: neighbouring seeds and other purposes throw differently. */
    public Dice(long seed, Object... purpose) {
        long mixed = seed * GOLDEN;
        for (Object part : purpose) {
            mixed = (mixed ^ part.toString().hashCode()) * GOLDEN;
        }
        this.random = new SplittableRandom(mixed);
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** From the first to the last, both included. */
    public int between(int first, int last) {
        return first + random.nextInt(last - first + 1);
    }

    public boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    public Duration millis(int first, int last) {
        return Duration.ofMillis(between(first, last));
    }

    public <T> T pick(List<T> from) {
        return Objects.requireNonNull(from.get(random.nextInt(from.size())));
    }

    public long anyLong() {
        return random.nextLong();
    }

    /** For what takes a generator of its own. */
    public SplittableRandom split() {
        return random.split();
    }
}
