package dev.flowstone.testkit.simulation;

import dev.flowstone.testkit.simulation.world.Tampering;
import dev.flowstone.testkit.simulation.world.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * Leaves steps out of a failing seed as long as the same rule stays broken: halves first, then quarters, down to single steps
 * (delta debugging, Zeller and Hildebrandt 2002). Plays a bounded number of times.
 */
final class Minimiser {
    private static final int MOST_PLAYS = 500;

    private final Tampering tampering;
    private final String invariant;
    private int plays;

    Minimiser(Tampering tampering, String invariant) {
        this.tampering = tampering;
        this.invariant = invariant;
    }

    Plan smallest(Plan failing) {
        Plan best = failing;
        int chunk = Math.max(1, best.steps().size() / 2);
        while (plays < MOST_PLAYS) {
            Plan smaller = without(best, chunk);
            if (smaller.steps().size() == best.steps().size()) {
                if (chunk == 1) {
                    return best;
                }
                chunk = Math.max(1, chunk / 2);
            }
            best = smaller;
        }
        return best;
    }

    /** One pass: leaves out each run of so many steps that isn't needed. */
    private Plan without(Plan plan, int chunk) {
        Plan best = plan;
        int at = 0;
        while (at < best.steps().size() && plays < MOST_PLAYS) {
            List<Integer> fewer = new ArrayList<>(best.steps());
            fewer.subList(at, Math.min(fewer.size(), at + chunk)).clear();
            Plan candidate = best.with(fewer);
            if (fails(candidate)) {
                best = candidate;
            } else {
                at += chunk;
            }
        }
        return best;
    }

    private boolean fails(Plan plan) {
        plays++;
        return Simulation.of(plan, tampering, Trace.off())
                .violation()
                .map(violation -> violation.invariant().equals(invariant))
                .orElse(false);
    }
}
