package dev.flowstone.engine.journal;

import java.time.Instant;
import java.util.Set;

/**
 * A commit's reply.
 *
 * @param moved the runs that moved; one that is missing lost its compare-and-set (or its receipt was taken) and nothing
 *     of its move was stored
 * @param databaseTime for the owner's estimate
 * @param feedNumber of the commit's feed row; 0 if no run moved
 */
public record Committed(Set<RunKey> moved, Instant databaseTime, long feedNumber) {
    public Committed {
        moved = Set.copyOf(moved);
    }
}
