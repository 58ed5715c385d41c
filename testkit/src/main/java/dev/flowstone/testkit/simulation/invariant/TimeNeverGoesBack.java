package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** R2: the times of a run's events never go back, whatever clocks do. */
final class TimeNeverGoesBack implements Invariant {
    private final Map<RunKey, Instant> last = new HashMap<>();

    @Override
    public String number() {
        return "R2";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            Instant time = event.header().eventTime();
            Instant before = last.put(log.run(), time);
            if (before != null && time.isBefore(before)) {
                throw broken("event " + event.sequence() + " of " + log.state().correlation() + " is at " + time
                        + ", the one before at " + before);
            }
        }
    }
}
