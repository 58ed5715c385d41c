package dev.flowstone.server.timeline;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Whose events are (dataflow.md §3.3): {@code Orchestrator}, or {@code Action:NAME} of those that tell of an attempt. A view of
 * the events: nothing is stored. Not thread-safe: one for each page, told in order.
 */
public final class EventCategories {
    private static final String ORCHESTRATOR = "Orchestrator";
    private static final String ACTION = "Action";

    private final Optional<Program> program;
    private final Map<ActivationId, String> scheduled = new HashMap<>();

    /** @param program what the run follows now, for attempts that were scheduled before the page; empty if it can't be read */
    public EventCategories(Optional<Program> program) {
        this.program = requireNonNull(program);
    }

    public String of(Event event) {
        return switch (event.body()) {
            case EventBody.TaskScheduled it -> {
                scheduled.put(it.activation(), it.handler().value());
                yield action(it.activation());
            }
            case EventBody.TaskHandedOut it -> action(it.activation());
            case EventBody.TaskReturned it -> action(it.activation());
            case EventBody.TaskCompleted it -> action(it.activation());
            case EventBody.TaskSkipped it -> action(it.activation());
            case EventBody.TaskFailed it -> action(it.activation());
            case EventBody.TaskTimedOut it -> action(it.activation());
            case EventBody.EffectObserved it -> action(it.activation());
            case CompensationEvent.CompensationApplied it -> action(it.activation());
            case CompensationEvent.CompensationFailed it -> action(it.activation());
            default -> ORCHESTRATOR;
        };
    }

    /** Without its name where that is known no more: the run has left the node behind. */
    private String action(ActivationId activation) {
        return Optional.ofNullable(scheduled.get(activation))
                .or(() -> handler(activation))
                .map(name -> ACTION + ":" + name)
                .orElse(ACTION);
    }

    private Optional<String> handler(ActivationId activation) {
        return program.filter(it -> it.has(activation.node()))
                .map(it -> it.node(activation.node()))
                .filter(Node.Task.class::isInstance)
                .map(node -> ((Node.Task) node).handler().value());
    }
}
