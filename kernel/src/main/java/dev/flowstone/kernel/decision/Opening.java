package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.NodeState;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.WorkItem;
import java.util.List;
import java.util.Optional;

/** Enters a node: the receipt first, then what it causes (R5). */
final class Opening {
    private Opening() {}

    static void enter(Deciding deciding, WorkItem.Enter enter) {
        Draft state = deciding.state();
        Place place = state.topology().place(enter.node());
        NodeState node = state.node(place);
        ActivationId id = new ActivationId(place.node().id(), node.visits() + 1);
        if (Runaway.isNext(deciding, node, enter.scope())) {
            deciding.emit(new EventBody.IncidentRaised(
                    "RUNAWAY_LOOP",
                    Optional.empty(),
                    place.node().id() + " was visited " + node.loops() + " times without a wait between"));
            return;
        }
        if (state.tree().liveActivations() >= deciding.bounds().forks().liveActivations()) {
            deciding.emit(new EventBody.IncidentRaised(
                    "LIVE_ACTIVATIONS",
                    Optional.empty(),
                    "as many activations live at once as may: " + state.tree().liveActivations()));
            return;
        }
        ScopeInstance scope = state.tree().scope(enter.scope());
        if (scope != null && !scope.scope().id().equals(place.scope().id())) {
            int number = state.tree().nextScope();
            deciding.emit(new EventBody.ScopeOpened(place.scope().id(), number));
            deciding.within(number);
        }
        open(deciding, place, id, enter.via());
    }

    private static void open(Deciding deciding, Place place, ActivationId id, List<EdgeId> via) {
        deciding.emit(new EventBody.ActivationOpened(
                id,
                Keys.of(
                        deciding.state().run().orElseThrow(),
                        id,
                        deciding.state().data().subjectVersion()),
                via));
        if (deciding.state().hold() == Hold.DRAINING && Draining.parks(place.node())) {
            deciding.emit(new ControlEvent.ActivationParked(id));
        } else {
            begin(deciding, place.node(), id);
        }
    }

    /** What an activation that is open begins with. */
    static void begin(Deciding deciding, Node node, ActivationId id) {
        switch (node) {
            case Node.Start _, Node.End _, Node.Choice _, Node.Join _ -> {}
            case Node.HumanTask task -> Asking.begin(deciding, task, id);
            case Node.Assign assign -> Assigning.begin(deciding, assign, id);
            case Node.Fork fork -> Forking.begin(deciding, fork, id);
            case Node.Await await -> Awaiting.begin(deciding, await, id);
            case Node.Emit emit -> Emitting.begin(deciding, emit, id);
            case Node.Call call -> Calling.begin(deciding, call, id);
            case Node.Task task -> Dispatching.attempt(deciding, task, id, 1);
            case Node.Timer timer -> Waiting.begin(deciding, timer, id);
        }
    }
}
