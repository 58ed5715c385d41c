package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.program.Target;
import java.util.Map;

/** Gives nodes of a program other names, wherever they are named. What expressions say of them stays as it is. */
final class Renaming {
    private final Map<NodeId, NodeId> names;

    Renaming(Map<NodeId, NodeId> names) {
        this.names = names;
    }

    private NodeId name(NodeId old) {
        return names.getOrDefault(old, old);
    }

    Scope scope(Scope it) {
        return new Scope(
                it.id(),
                it.parent(),
                it.kind(),
                it.onFailure(),
                name(it.entry()),
                it.out().map(this::name),
                it.continuation(),
                it.fork().map(this::name));
    }

    Edge edge(Edge it) {
        return new Edge(
                it.id(),
                name(it.from()),
                name(it.to()),
                it.on(),
                it.when(),
                it.otherwise(),
                it.priority(),
                it.as(),
                it.policy(),
                it.origin());
    }

    Node node(Node node) {
        NodeId id = name(node.id());
        return switch (node) {
            case Node.Start it -> new Node.Start(id, it.scope(), it.routing(), it.origin());
            case Node.End it -> new Node.End(id, it.scope(), it.outcome(), it.terminate(), it.origin());
            case Node.Timer it -> new Node.Timer(id, it.scope(), it.due(), it.routing(), it.mayEnd(), it.origin());
            case Node.Choice it -> new Node.Choice(id, it.scope(), it.routing(), it.mayEnd(), it.origin());
            case Node.Assign it -> new Node.Assign(id, it.scope(), it.values(), it.routing(), it.mayEnd(), it.origin());
            case Node.Fork it ->
                new Node.Fork(id, it.scope(), it.branches(), name(it.join()), it.routing(), it.origin());
            case Node.Join it ->
                new Node.Join(id, it.scope(), it.policy(), it.losers(), it.routing(), it.mayEnd(), it.origin());
            case Node.Await it ->
                new Node.Await(id, it.scope(), it.source(), it.timeout(), it.routing(), it.mayEnd(), it.origin());
            case Node.Emit it ->
                new Node.Emit(id, it.scope(), target(it.target()), it.routing(), it.mayEnd(), it.origin());
            case Node.Task it -> task(id, it);
            case Node.HumanTask it -> human(id, it);
            case Node.Call it -> call(id, it);
        };
    }

    private Target target(Target target) {
        return switch (target) {
            case Target.Release release -> new Target.Release(name(release.await()));
            case Target.Channel _, Target.Broadcast _ -> target;
        };
    }

    private Node task(NodeId id, Node.Task it) {
        return new Node.Task(
                id,
                it.scope(),
                it.handler(),
                it.input(),
                it.retry(),
                it.timeout(),
                it.rerender(),
                it.compensation(),
                it.applies().map(this::name),
                it.routing(),
                it.mayEnd(),
                it.origin());
    }

    private static Node human(NodeId id, Node.HumanTask it) {
        return new Node.HumanTask(
                id,
                it.scope(),
                it.outcomes(),
                it.vetoes(),
                it.abstain(),
                it.quorum(),
                it.assignees(),
                it.request(),
                it.uniqueActors(),
                it.reminders(),
                it.unmet(),
                it.drift(),
                it.routing(),
                it.mayEnd(),
                it.origin());
    }

    private static Node call(NodeId id, Node.Call it) {
        return new Node.Call(
                id,
                it.scope(),
                it.workflow(),
                it.version(),
                it.input(),
                it.waits(),
                it.timeout(),
                it.policies(),
                it.answer(),
                it.routing(),
                it.mayEnd(),
                it.origin());
    }
}
