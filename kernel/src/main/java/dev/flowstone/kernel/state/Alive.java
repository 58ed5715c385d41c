package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Where a run goes on sooner or later. */
final class Alive {
    private Alive() {}

    /** The nodes where the run goes on sooner or later: cost linear in what is alive, for those who only look. */
    static Set<NodeId> at(Draft draft) {
        Set<NodeId> nodes = new TreeSet<>();
        for (ScopeInstance scope : draft.tree.scopes.values()) {
            scope.live().values().forEach(activation -> nodes.add(activation.node()));
        }
        draft.queue.values().stream()
                .filter(item -> !Queue.isControl(item))
                .forEach(item -> nodes.add(nodeOf(draft, item)));
        draft.incidents.values().forEach(incident -> nodes.add(nodeOf(draft, incident.parked())));
        return nodes;
    }

    /** What has failed and is still to choose its edges, or to be left to a person. */
    static Optional<ActivationId> failing(Draft draft) {
        return draft.queue.values().stream()
                .flatMap(item -> item instanceof WorkItem.Route route ? Stream.of(route.activation()) : Stream.empty())
                .filter(id -> {
                    Activation activation = draft.activation(id);
                    return activation != null
                            && activation.outcome() != null
                            && activation.outcome().isFailure();
                })
                .findFirst();
    }

    private static NodeId nodeOf(Draft draft, WorkItem item) {
        return switch (item) {
            case WorkItem.Enter enter ->
                draft.topology.place(enter.node()).node().id();
            case WorkItem.Skip skip -> draft.topology.place(skip.node()).node().id();
            case WorkItem.Route route -> route.activation().node();
            case WorkItem.Exit exit -> draft.program.edge(exit.edge()).to();
            case WorkItem.Fan fan -> fan.fork().node();
            case WorkItem.Fire fire -> fire.fork().node();
            case WorkItem.Undo _, WorkItem.Release _ -> draft.program.root().entry();
            case WorkItem.Settle settle -> {
                ScopeInstance scope = draft.tree.scopes.get(settle.scope());
                yield scope == null
                        ? draft.program.root().entry()
                        : scope.scope().out().orElse(scope.scope().entry());
            }
        };
    }
}
