package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * I10: what was done is undone newest first, one at a time in each scope instance, each effect once, and nothing that was
 * not done; a closed scope's effects take the place that it had in the scope around it. A run that was to be undone doesn't
 * end before. Told from the log alone; a run that begins at a point of another one's past has that one's scopes, and nothing
 * to undo of what that one did.
 */
final class UndoneInReverse implements Invariant {
    private final Map<RunKey, UndoLog> runs = new HashMap<>();

    @Override
    public String number() {
        return "I10";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        if (log.isAggregate()) {
            return;
        }
        UndoLog undo = runs.computeIfAbsent(
                log.run(),
                _ -> new UndoLog(log.programs(), log.programAt(fresh.getFirst().sequence())));
        for (Event event : fresh) {
            if (event.body() instanceof ControlEvent.RunReset) {
                undo.begin(log.before());
            }
            undo.follow(event.body()).ifPresent(fault -> {
                throw broken(fault + ", in " + log.name() + " at event " + event.sequence());
            });
        }
    }
}
