package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.ControlEvent.RunReset;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Place;
import org.jspecify.annotations.Nullable;

/**
 * A run begins at a recorded point of another one (R26): with what that one knew, and with its live work to be begun
 * anew: its attempts, people, waits and children are the other one's. So is what the other one has done, to undo it.
 */
final class ResetApplier {
    private ResetApplier() {}

    static void reset(Draft draft, EventHeader header, RunReset body) {
        draft.follow(body.program());
        Draft from = SnapshotReader.read(draft.programs, draft.program, draft.programHash, body.state());
        draft.tenant = header.tenant();
        draft.run = header.run();
        draft.version = header.typeVersion();
        draft.correlation = header.correlation();
        draft.input = from.input;
        draft.nodes = from.nodes;
        draft.used = from.used;
        draft.tree.scopes = from.tree.scopes;
        draft.tree.nested = from.tree.nested;
        draft.tree.waiting = from.tree.waiting;
        draft.tree.live = from.tree.live;
        draft.tree.forks = from.tree.forks;
        draft.tree.nextScope = from.tree.nextScope;
        draft.data.subjectVersion = from.data.subjectVersion;
        draft.data.variables = from.data.variables;
        draft.data.variableBytes = from.data.variableBytes;
        draft.contextBytes = from.contextBytes;
        draft.post.principal = draft.topology.calls() ? header.actor().toString() : "";
        draft.terminals = from.terminals;
        draft.waits = from.waits;
        // Scopes know already what of this keeps them alive.
        for (WorkItem item : from.queue.values()) {
            if (!Queue.isControl(item)) {
                Queue.restore(draft, item);
            }
        }
        draft.control = Controls.NONE;
        for (ScopeInstance scope : from.tree.scopes.values()) {
            scope.live().values().forEach(id -> again(draft, draft.activation(id)));
        }
        if (!draft.control.parked().isEmpty()) {
            Queue.push(draft, new WorkItem.Release());
        }
        draft.weight = Weight.of(draft);
    }

    private static void again(Draft draft, @Nullable Activation activation) {
        if (activation == null) {
            return;
        }
        Place place = draft.topology.place(activation.id().node());
        boolean begins = switch (place.node()) {
            case Node.Task _, Node.Timer _, Node.HumanTask _, Node.Await _, Node.Emit _, Node.Call _ -> true;
            case Node.Start _, Node.End _, Node.Choice _, Node.Assign _, Node.Fork _, Node.Join _ -> false;
        };
        if (begins) {
            Activations.put(draft, place, activation.fresh());
            Controls control = draft.control;
            draft.control = control.parked(control.parked().with(activation.id(), activation.id()));
        }
    }
}
