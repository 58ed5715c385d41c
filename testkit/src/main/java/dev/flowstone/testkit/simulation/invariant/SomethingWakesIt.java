package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.json.JsonArray;
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
        boolean awake = state.status().isFinal()
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
            if (!log.state().status().isFinal() && !hasIncident(log.state())) {
                throw broken(log.state().correlation() + " never ends");
            }
        }
    }

    private static boolean hasIncident(RunState state) {
        return !JsonArray.EMPTY.equals(state.toJson().get("incidents"));
    }
}
