package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** R11: attempts count from 1, one after another, from the moment that they are scheduled, and no more than the node allows. */
final class AttemptsAreCounted implements Invariant {
    private final Map<Named, Integer> last = new HashMap<>();

    private record Named(RunKey run, ActivationId activation) {}

    @Override
    public String number() {
        return "R11";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            if (event.body() instanceof EventBody.TaskScheduled scheduled) {
                int before = last.getOrDefault(new Named(log.run(), scheduled.activation()), 0);
                boolean allowed =
                        log.state().program().node(scheduled.activation().node()) instanceof Node.Task task
                                && scheduled.attempt() <= task.retry().attempts();
                if (scheduled.attempt() != before + 1 || !allowed) {
                    throw broken("attempt " + scheduled.attempt() + " of " + scheduled.activation() + " in "
                            + log.state().correlation() + " follows attempt " + before);
                }
                last.put(new Named(log.run(), scheduled.activation()), scheduled.attempt());
            }
        }
    }
}
