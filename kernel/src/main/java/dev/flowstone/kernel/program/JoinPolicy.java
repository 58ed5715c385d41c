package dev.flowstone.kernel.program;

import java.util.Set;

/** When a join fires (R10). */
public sealed interface JoinPolicy {
    /** Every branch has ended and at least one arrived. */
    record All() implements JoinPolicy {}

    /** So many have arrived with one of these outcomes; none named accepts {@code success} only. */
    record Count(int branches, Set<Outcome> accept) implements JoinPolicy {
        public Count {
            accept = Set.copyOf(accept);
            if (branches < 1) {
                throw new IllegalArgumentException("a join counts from 1, not " + branches);
            }
        }
    }

    /** More than half of all branches have arrived with one of these outcomes. */
    record Majority(Set<Outcome> accept) implements JoinPolicy {
        public Majority {
            accept = Set.copyOf(accept);
        }
    }

    /** So many have ended, whatever their outcome. */
    record Ended(int branches) implements JoinPolicy {
        public Ended {
            if (branches < 1) {
                throw new IllegalArgumentException("a join counts from 1, not " + branches);
            }
        }
    }
}
