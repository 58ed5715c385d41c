package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** I9: what a gate uses was decided before, and nobody uses it again (R15). */
final class DecisionAppliedOnce implements Invariant {
    private final Set<Named> settled = new HashSet<>();
    private final Set<Named> applied = new HashSet<>();

    private record Named(RunKey run, ActivationId activation) {
        Named now(RunKey moves, ControlEvent.Migrated moved) {
            return run.equals(moves) ? new Named(run, Renamed.now(moved, activation)) : this;
        }
    }

    @Override
    public String number() {
        return "I9";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            if (event.body() instanceof HumanEvent.HumanTaskSettled body
                    && !settled.add(new Named(log.run(), body.activation()))) {
                throw broken("decided twice in " + log.name() + ": " + body);
            }
            if (event.body() instanceof HumanEvent.DecisionApplied body) {
                Named decided = new Named(log.run(), body.decided());
                if (!settled.contains(decided) || !applied.add(decided)) {
                    throw broken("used twice, or never made, in " + log.name() + ": " + body);
                }
            }
            if (event.body() instanceof ControlEvent.Migrated body) {
                Renamed.all(settled, named -> named.now(log.run(), body));
                Renamed.all(applied, named -> named.now(log.run(), body));
            }
        }
    }
}
