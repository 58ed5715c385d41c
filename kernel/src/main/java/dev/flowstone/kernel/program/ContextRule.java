package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * How much runs of a program keep for their expressions, and what becomes of what would be more (dataflow.md §8.4).
 *
 * @param maxBytes of input and results together, where that is less than what an installation allows
 */
public record ContextRule(Overflow overflow, Optional<Integer> maxBytes) {
    public static final ContextRule DEFAULT = new ContextRule(Overflow.FAIL, Optional.empty());

    public ContextRule {
        requireNonNull(overflow);
        if (maxBytes.isPresent() && maxBytes.get() < 1) {
            throw new IllegalArgumentException("a context has at least 1 byte, not " + maxBytes.get());
        }
    }

    /** The smaller one of this rule's bound and another. */
    public int within(int bound) {
        return maxBytes.map(own -> Math.min(own, bound)).orElse(bound);
    }

    /** What becomes of a result that takes its run's context beyond the bound. */
    public enum Overflow {
        /** Its node fails for good. */
        FAIL,

        /** The results of the nodes that were visited longest ago are left out, as many as it takes. */
        AUTO_PRUNE_OLDEST,

        /** It is itself left out. */
        DROP_OVERSIZE
    }
}
