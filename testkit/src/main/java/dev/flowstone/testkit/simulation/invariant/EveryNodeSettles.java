package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.Told;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** I11: when a settling root scope has ended, each of its nodes has settled, and settled once. */
final class EveryNodeSettles implements Invariant {
    @Override
    public String number() {
        return "I11";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        Scope root = log.state().program().root();
        if (root.kind() != Scope.Kind.SETTLING || !log.state().status().isFinal()) {
            return;
        }
        Set<NodeId> settled = new HashSet<>();
        log.before().forEach(told -> see(settled, log, told));
        log.events().forEach(event -> see(settled, log, new Told(event, log.programAt(event.sequence()))));
        for (Node node : log.state().program().nodes()) {
            if (node.scope().equals(root.id()) && !settled.contains(node.id())) {
                throw broken(node.id() + " of " + log.state().correlation() + " never settled");
            }
        }
    }

    private void see(Set<NodeId> settled, RunLog log, Told told) {
        if (told.event().body() instanceof ControlEvent.Migrated moved) {
            Renamed.all(settled, node -> Renamed.now(moved, node));
            settled.removeIf(node -> !told.program().has(node));
        }
        settles(told.event().body()).ifPresent(activation -> {
            ScopeId scope = told.program().node(activation.node()).scope();
            if (scope.equals(told.program().root().id()) && !settled.add(activation.node())) {
                throw broken(activation + " of " + log.state().correlation() + " settled twice");
            }
        });
    }

    private static Optional<ActivationId> settles(EventBody event) {
        return switch (event) {
            case EventBody.ActivationCanceled body -> Optional.of(body.activation());
            case EventBody.ActivationSkipped body -> Optional.of(body.activation());
            case EventBody.Transitioned body -> Optional.of(body.activation());
            default -> Optional.empty();
        };
    }
}
