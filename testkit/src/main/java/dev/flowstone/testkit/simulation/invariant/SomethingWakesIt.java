package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.state.OpenChild;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/**
 * I8: a run that isn't final has something that can wake it. That it does wake it, once faults are over, is checked by coming
 * to rest: then every run is final or waits for a person.
 */
final class SomethingWakesIt implements Invariant {
    @Override
    public String number() {
        return "I8";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        RunState state = log.state();
        boolean awake = log.isAggregate()
                || !state.awaits().isEmpty()
                || !state.humanTasks().isEmpty()
                || state.children().stream().anyMatch(OpenChild::awaited)
                || state.status().isFinal()
                || state.hasOpenAttempts()
                || state.continues()
                || !state.timers().isEmpty()
                || hasIncident(state);
        if (!awake) {
            throw broken("nothing can wake " + state.correlation() + " after event " + state.lastSequence());
        }
    }

    @Override
    public void ended(World world) {
        for (RunLog log : world.logs().values()) {
            if (!log.isAggregate() && !isDone(world, log)) {
                throw broken(log.name() + " never ends");
            }
        }
    }

    /** Final, or only a person can help it, or a child of it. */
    private static boolean isDone(World world, RunLog log) {
        RunState state = log.state();
        return state.status().isFinal()
                || hasIncident(state)
                || state.children().stream()
                        .filter(OpenChild::awaited)
                        .map(child -> world.logs().get(new RunKey(World.TENANT, child.run())))
                        .anyMatch(child ->
                                child != null && !child.state().status().isFinal() && isDone(world, child));
    }

    private static boolean hasIncident(RunState state) {
        return !JsonArray.EMPTY.equals(state.toJson().get("incidents"));
    }
}
