package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.OpenChild;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/**
 * I8: a run that isn't final has something that can wake it; a suspended one waits for an operator. That it does wake it,
 * once faults are over, is checked by coming to rest: then every run is final.
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
                || state.hold() == Hold.SUSPENDED
                || !state.attestations().isEmpty()
                || !state.incidents().isEmpty();
        if (!awake) {
            throw broken("nothing can wake " + state.correlation() + " after event " + state.lastSequence());
        }
    }

    @Override
    public void ended(World world) {
        for (RunLog log : world.logs().values()) {
            if (!log.isAggregate() && !isDone(log.state())) {
                throw broken(log.name() + " never ends");
            }
        }
    }

    /** Operators and people have done what there was to do, so nothing is left to wait for. */
    private static boolean isDone(RunState state) {
        return state.status().isFinal();
    }
}
