package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.OpenChild;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * I3: a final run has no live activation, no timer, no work, no incident, and nothing that is held or to be undone. And the tables that wake runs up, timers and awake
 * runs, hold exactly what the runs' states say.
 */
final class FinalRunHoldsNothing implements Invariant {
    private static final int ALL = Integer.MAX_VALUE;

    @Override
    public String number() {
        return "I3";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        RunState state = log.state();
        if (!state.status().isFinal()) {
            return;
        }
        JsonObject json = state.toJson();
        String text = CanonicalJson.exactText(json);
        boolean holds = state.hasOpenAttempts()
                || !state.awaits().isEmpty()
                || !state.permits().isEmpty()
                || !state.humanTasks().isEmpty()
                || state.children().stream().anyMatch(OpenChild::awaited)
                || !state.timers().isEmpty()
                || state.continues()
                || state.hold() != Hold.NONE
                || state.buffered() > 0
                || holds(json, "control", "parked", "frozen")
                || holds(json, "undoing", "stacks", "jobs", "running", "due", "marks")
                || !JsonArray.EMPTY.equals(json.get("incidents"))
                || text.contains("\"status\":\"READY\"")
                || text.contains("\"status\":\"ACTIVE\"");
        if (holds) {
            throw broken(state.correlation() + " is " + state.status() + " and still holds something: " + text);
        }
    }

    /** What was done and can't be undone any more is remembered, but nothing that would still be done. */
    private static boolean holds(JsonObject state, String part, String... things) {
        return state.get(part) instanceof JsonObject of && Stream.of(things).anyMatch(thing -> of.get(thing) != null);
    }

    @Override
    public void ended(World world) {
        TreeSet<String> timersTold = new TreeSet<>();
        TreeSet<RunKey> awakeTold = new TreeSet<>();
        for (RunLog log : world.logs().values()) {
            RunState state = log.state();
            state.timers().forEach(timer -> timersTold.add(name(log.run(), timer.timer(), timer.generation())));
            if (state.hold() == Hold.SUSPENDED) {
                // The engine's own mark, by which messages of the run are kept back.
                timersTold.add(name(log.run(), "suspended", 1));
            }
            if (state.continues() || state.hasOpenAttempts()) {
                awakeTold.add(log.run());
            }
        }
        TreeSet<String> timersStored = new TreeSet<>();
        TreeSet<RunKey> awakeStored = new TreeSet<>();
        try {
            for (Shard shard : world.database().ports().leases().shards()) {
                for (TimerRow row :
                        world.database().ports().journal().timers(shard.id(), Instant.MAX, Optional.empty(), ALL)) {
                    timersStored.add(name(row.run(), row.timer(), row.generation()));
                }
                awakeStored.addAll(world.database().ports().journal().awake(shard.id(), Optional.empty(), ALL));
            }
        } catch (JournalException e) {
            throw broken("the tables can't be read: " + e);
        }
        if (!timersTold.equals(timersStored) || !awakeTold.equals(awakeStored)) {
            throw broken("the states say timers " + timersTold + " and awake " + awakeTold + ", the tables "
                    + timersStored + " and " + awakeStored);
        }
    }

    private static String name(RunKey run, Object timer, int generation) {
        return run.run() + " " + timer + " " + generation;
    }
}
