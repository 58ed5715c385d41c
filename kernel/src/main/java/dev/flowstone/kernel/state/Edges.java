package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Way;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Resolves the edges of a node whose activation is over (R6, R7): taken ones lead on, the others are dead. */
final class Edges {
    private Edges() {}

    static void allDead(Draft draft, int scope, Place from) {
        resolve(draft, scope, from, List.of());
    }

    static void resolve(Draft draft, int scope, Place from, List<EdgeId> taken) {
        // Only asked, never walked through: the order of a hash set counts for nothing here.
        Set<EdgeId> chosen = taken.size() < 4 ? Set.of() : new HashSet<>(taken);
        for (Way way : from.ways()) {
            EdgeId edge = way.edge().id();
            boolean take = taken.size() < 4 ? taken.contains(edge) : chosen.contains(edge);
            switch (way.kind()) {
                case CONTINUATION -> {}
                case ARRIVING -> {
                    if (take) {
                        Branching.arrived(draft, scope, edge);
                    }
                }
                case EXIT -> {
                    if (take) {
                        Queue.push(draft, new WorkItem.Exit(scope, edge));
                    }
                }
                case INNER, ENTERING -> {
                    if (from.settling() && way.kind() == Way.Kind.INNER) {
                        arrive(draft, scope, way, take);
                    } else if (take) {
                        Queue.push(draft, new WorkItem.Enter(scope, way.target(), List.of(edge)));
                    }
                }
            }
        }
    }

    static void arrive(Draft draft, int number, Way way, boolean taken) {
        int target = way.target();
        int expected = draft.topology.place(target).arrivals();
        ScopeInstance scope = draft.tree.scopes.get(number);
        if (scope == null) {
            return;
        }
        LongMap<Arrivals> all = scope.arrivals();
        Arrivals before = all.get(target);
        Arrivals known = before == null ? Arrivals.NONE : before;
        Arrivals now = taken ? known.taken(way.edge().id()) : known.dead();
        if (now.resolved() < expected) {
            Scopes.put(draft, scope.with(all.with(target, now)));
            return;
        }
        if (before != null) {
            Scopes.put(draft, scope.with(all.without(target)));
        }
        Queue.push(
                draft,
                now.taken() == null
                        ? new WorkItem.Skip(number, target)
                        : new WorkItem.Enter(number, target, now.via()));
    }
}
