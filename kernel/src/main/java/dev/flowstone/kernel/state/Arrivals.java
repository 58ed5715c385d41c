package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.EdgeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The edges into one node of a settling scope that have resolved (R6).
 *
 * @param resolved how many, taken or dead
 * @param taken those taken, the newest first
 */
record Arrivals(int resolved, @Nullable Link taken) {
    static final Arrivals NONE = new Arrivals(0, null);

    Arrivals dead() {
        return new Arrivals(resolved + 1, taken);
    }

    Arrivals taken(EdgeId edge) {
        return new Arrivals(resolved + 1, new Link(edge, taken));
    }

    /** The edges taken, by id. */
    List<EdgeId> via() {
        List<EdgeId> edges = new ArrayList<>();
        for (Link at = taken; at != null; at = at.next) {
            edges.add(at.edge);
        }
        Collections.sort(edges);
        return edges;
    }

    record Link(EdgeId edge, @Nullable Link next) {}
}
