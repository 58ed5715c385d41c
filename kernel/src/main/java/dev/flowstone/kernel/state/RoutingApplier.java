package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.EventBody.Transitioned;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Scope;
import java.util.Optional;

/** An activation is over and its edges are chosen (R7, R8). */
final class RoutingApplier {
    private RoutingApplier() {}

    static void transitioned(Draft draft, Transitioned body) {
        Activation activation = draft.activation(body.activation());
        if (activation == null || activation.status().isFinal()) {
            return;
        }
        Place place = draft.topology.place(body.activation().node());
        Activations.put(
                draft,
                place,
                activation.resulted(body.outcome(), activation.answer()).ended(status(body.outcome())));
        if (activation.isLive()) {
            Activations.noLongerLive(draft, activation);
        }
        if (draft.head() instanceof WorkItem.Route route && route.activation().equals(body.activation())) {
            Queue.pop(draft);
        }
        if (draft.ending == Ending.NONE) {
            UndoingApplier.mark(draft, activation, place, body.outcome());
            terminals(draft, activation, place, body);
        }
        Edges.resolve(draft, activation.scope(), place, body.taken());
        if (place.node() instanceof Node.Fork && place.settling()) {
            composite(draft, activation, place);
        }
        boolean unhandled = body.outcome().isFailure() && body.taken().isEmpty() && draft.ending == Ending.NONE;
        if (unhandled && place.scope().onFailure() == Scope.FailurePolicy.ARRIVE) {
            Branching.failed(draft, activation.scope());
        }
        Scopes.alive(draft, activation.scope(), -1);
        if (place.node() instanceof Node.End end && end.terminate() && draft.ending == Ending.NONE) {
            draft.ending = Ending.TERMINATING;
            IncidentApplier.release(draft);
        }
    }

    private static void composite(Draft draft, Activation fork, Place place) {
        boolean fired =
                draft.head() instanceof WorkItem.Fire fire && fire.fork().equals(fork.id());
        if (fired) {
            Composites.joined(draft, fork.scope(), place);
        } else {
            Composites.dead(draft, fork.scope(), place);
        }
    }

    static ActivationStatus status(Outcome outcome) {
        if (outcome.isFailure()) {
            return ActivationStatus.FAILED;
        }
        return outcome.equals(Outcome.SKIPPED) ? ActivationStatus.SKIPPED : ActivationStatus.COMPLETED;
    }

    /** Where the paths that count for the run's output end: an End stands for the nodes before it. */
    private static void terminals(Draft draft, Activation activation, Place place, Transitioned body) {
        boolean root = activation.scope() == ScopeInstance.ROOT && !(place.node() instanceof Node.Fork);
        if (place.node() instanceof Node.End end) {
            if (end.outcome().isFailure() && draft.failure == null && (root || end.terminate())) {
                draft.failure = new Failure(EndFailure.of(end), Optional.of(end.id()));
            }
            if (root || end.terminate()) {
                for (EdgeId edge : activation.via()) {
                    terminal(
                            draft, draft.topology.place(draft.program.edge(edge).from()));
                }
            }
        } else if (root && body.taken().isEmpty() && status(body.outcome()) == ActivationStatus.COMPLETED) {
            terminal(draft, place);
        }
    }

    private static void terminal(Draft draft, Place place) {
        NodeState node = draft.node(place);
        Activation last = node.activations().get(node.visits());
        boolean succeeded = last != null && last.status() == ActivationStatus.COMPLETED;
        if (succeeded && node.result() != null) {
            NodeId id = place.node().id();
            draft.terminals = draft.terminals.with(place.number(), id);
        }
    }
}
