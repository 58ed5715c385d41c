package dev.flowstone.kernel.program;

/** How many must decide alike (R13). Abstentions shrink what is counted of. */
public sealed interface Quorum {
    /** The first decision settles it. */
    record One() implements Quorum {}

    /** So many of the same outcome. */
    record Count(int decisions) implements Quorum {
        public Count {
            if (decisions < 1) {
                throw new IllegalArgumentException("a quorum counts from 1, not " + decisions);
            }
        }
    }

    /** More than half of those who are asked. */
    record Majority() implements Quorum {}

    /** All of those who are asked. */
    record All() implements Quorum {}

    /** All, one after another, in the order in which they are asked. */
    record Serial() implements Quorum {}
}
