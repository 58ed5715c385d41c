package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One opening of a settling scope, as its events tell it: each node settles once, each edge resolves once. What leads in from
 * scopes inside is not followed here, for those are closed by events of their own.
 */
final class SettlingInstance {
    private final Scope scope;
    private final Set<NodeId> settled = new HashSet<>();
    private final Set<EdgeId> taken = new HashSet<>();
    private final Set<NodeId> entered = new HashSet<>();
    private boolean knowsEdges = true;
    private boolean alone = true;

    SettlingInstance(Scope scope) {
        this.scope = scope;
    }

    Scope scope() {
        return scope;
    }

    /** Several instances of the scope live at once: which of them a node's event is about can't be told any more. */
    void isNotAlone() {
        alone = false;
    }

    /** The run ends, is taken back, or begins in the midst of another's past: nodes are skipped or come anew, whatever led to them. */
    void forgetEdges() {
        knowsEdges = false;
    }

    /** Nodes go by other names, edges may be others. */
    void move(Program to, ControlEvent.Migrated moved) {
        knowsEdges = false;
        taken.clear();
        Renamed.all(settled, node -> Renamed.now(moved, node));
        settled.removeIf(node -> !to.has(node));
    }

    /** Follows one event of a node in it; what is wrong about it. */
    Optional<String> follow(Program program, EventBody event) {
        return alone
                ? switch (event) {
                    case EventBody.ActivationOpened body ->
                        enters(program, body.activation().node(), body.via());
                    case EventBody.ActivationSkipped body ->
                        enters(program, body.activation().node(), List.of())
                                .or(() -> settles(body.activation().node()));
                    case EventBody.ActivationCanceled body ->
                        settles(body.activation().node());
                    case EventBody.Transitioned body ->
                        settles(body.activation().node()).or(() -> takes(body.taken()));
                    default -> Optional.empty();
                }
                : Optional.empty();
    }

    /** A node of it that never settled. */
    Optional<NodeId> missing(Program program) {
        return alone
                ? program.nodes().stream()
                        .filter(node -> node.scope().equals(scope.id()))
                        .map(node -> node.id())
                        .filter(node -> !settled.contains(node))
                        .findFirst()
                : Optional.empty();
    }

    private Optional<String> settles(NodeId node) {
        return settled.add(node) ? Optional.empty() : Optional.of(node + " settled twice");
    }

    private Optional<String> takes(List<EdgeId> edges) {
        for (EdgeId edge : edges) {
            if (!taken.add(edge)) {
                return Optional.of(edge + " resolved twice");
            }
        }
        return Optional.empty();
    }

    /** A node is entered once, when every way in is resolved, by exactly those that were taken; skipped if none was. */
    private Optional<String> enters(Program program, NodeId node, List<EdgeId> via) {
        if (!knowsEdges || node.equals(scope.entry())) {
            return Optional.empty();
        }
        if (!entered.add(node)) {
            return Optional.of(node + " was entered twice");
        }
        for (Edge edge : program.edges()) {
            if (edge.to().equals(node) && program.node(edge.from()).scope().equals(scope.id())) {
                if (!settled.contains(edge.from())) {
                    return Optional.of(node + " is entered before " + edge.id() + " is resolved");
                }
                if (via.contains(edge.id()) != taken.contains(edge.id())) {
                    return Optional.of(node + " is entered by " + via + ", and taken are " + taken);
                }
            }
        }
        return Optional.empty();
    }
}
