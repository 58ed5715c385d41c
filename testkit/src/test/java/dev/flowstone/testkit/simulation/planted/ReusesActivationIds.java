package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.state.RunState;
import java.util.List;

/** The second visit of a node has the name of the first. */
public final class ReusesActivationIds extends SpoiledDecisions {
    @Override
    List<EventBody> spoiled(RunState before, Command command, List<EventBody> events) {
        return events.stream().map(ReusesActivationIds::first).toList();
    }

    private static EventBody first(EventBody event) {
        return switch (event) {
            case EventBody.ActivationOpened body ->
                new EventBody.ActivationOpened(first(body.activation()), body.key(), body.via());
            case EventBody.TaskScheduled body ->
                new EventBody.TaskScheduled(
                        first(body.activation()), body.attempt(), body.handler(), body.input(), body.timeout());
            case EventBody.TimerSet body ->
                new EventBody.TimerSet(
                        body.timer(),
                        body.generation(),
                        body.dueAt(),
                        body.purpose(),
                        body.activation().map(ReusesActivationIds::first));
            case EventBody.Transitioned body ->
                new EventBody.Transitioned(first(body.activation()), body.outcome(), body.taken(), body.conditions());
            default -> event;
        };
    }

    private static ActivationId first(ActivationId activation) {
        return new ActivationId(activation.node(), 1);
    }
}
