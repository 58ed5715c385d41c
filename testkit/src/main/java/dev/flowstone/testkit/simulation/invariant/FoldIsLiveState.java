package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Map;

/**
 * I1: the fold of what is stored is the state that a node had in mind when it decided, and what a node would rebuild from
 * snapshot and tail.
 */
final class FoldIsLiveState implements Invariant {
    @Override
    public String number() {
        return "I1";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        RunState folded = log.state();
        world.decided(folded.lastHash()).ifPresent(live -> same(live, folded, log, "the state that was decided"));
    }

    @Override
    public void ended(World world) {
        try {
            Map<RunKey, StoredRun> stored = world.database()
                    .ports()
                    .journal()
                    .load(new ShardId(0), world.logs().keySet());
            for (RunLog log : world.logs().values()) {
                StoredRun run = stored.get(log.run());
                if (run == null) {
                    throw broken("run " + log.run().run() + " can't be loaded");
                }
                if (run.snapshot().isPresent()) {
                    same(rebuilt(run, log), log.state(), log, "snapshot and tail");
                }
            }
        } catch (JournalException | JsonSyntaxException | CorruptEntryException e) {
            throw broken("a run can't be rebuilt: " + e);
        }
    }

    /** The snapshot may be of the time before the run was moved to another program. */
    private static RunState rebuilt(StoredRun run, RunLog log) throws JsonSyntaxException, CorruptEntryException {
        JsonObject snapshot =
                (JsonObject) JsonParser.parse(run.snapshot().orElseThrow().bytes(), JsonLimits.STORED);
        Sha256 hash = snapshot.get("program") instanceof JsonString name
                ? Sha256.parse(name.value())
                : log.state().programHash();
        Program program = log.programs().find(hash).orElseThrow();
        RunState state = Kernel.restore(log.programs(), program, hash, snapshot);
        for (var entry : run.tail()) {
            for (Event event : JournalEntry.decode(entry.bytes(), entry.firstSequence(), state.lastHash())) {
                state = state.apply(event);
            }
        }
        return state;
    }

    private void same(RunState other, RunState folded, RunLog log, String which) {
        JsonObject expected = folded.toJson();
        JsonObject actual = other.toJson();
        if (!expected.equals(actual)) {
            throw broken(which + " of " + log.state().correlation() + " differs from the fold of its log at event "
                    + folded.lastSequence() + ": " + actual + ", not " + expected);
        }
    }
}
