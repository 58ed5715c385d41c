package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import java.util.List;

/** State = snapshot + tail, each event's place in the chain checked against what the run's row says. */
final class RunRebuild {
    private RunRebuild() {}

    static CachedRun of(StoredRun stored, Program program) throws CorruptRunException {
        RunState state = start(stored, program);
        long snapshotSequence = state.lastSequence();
        long tailBytes = 0;
        for (StoredEntry entry : stored.tail()) {
            tailBytes += entry.bytes().length;
            state = fold(state, entry);
        }
        if (state.lastSequence() != stored.lastSequence()) {
            throw new CorruptRunException(
                    "its events end at " + state.lastSequence() + ", its row says " + stored.lastSequence());
        }
        if (!state.lastHash().equals(stored.lastHash())) {
            throw new CorruptRunException("its chain doesn't end in the hash that its row says");
        }
        long snapshotBytes = stored.snapshot().map(s -> (long) s.bytes().length).orElse(0L);
        return new CachedRun(state, snapshotSequence, snapshotBytes, tailBytes);
    }

    private static RunState start(StoredRun stored, Program program) throws CorruptRunException {
        if (stored.snapshot().isEmpty()) {
            return Kernel.initial(program, stored.program());
        }
        Snapshot snapshot = stored.snapshot().get();
        RunState state;
        try {
            if (!(JsonParser.parse(snapshot.bytes(), JsonLimits.STORED) instanceof JsonObject object)) {
                throw new CorruptRunException("its snapshot at event " + snapshot.sequence() + " is no object");
            }
            state = Kernel.restore(program, stored.program(), object);
        } catch (JsonSyntaxException | RuntimeException e) {
            throw new CorruptRunException("its snapshot at event " + snapshot.sequence() + " can't be read", e);
        }
        if (state.lastSequence() != snapshot.sequence()) {
            throw new CorruptRunException(
                    "its snapshot says event " + state.lastSequence() + ", its row " + snapshot.sequence());
        }
        return state;
    }

    private static RunState fold(RunState before, StoredEntry entry) throws CorruptRunException {
        if (entry.firstSequence() != before.lastSequence() + 1) {
            throw new CorruptRunException(
                    "event " + (before.lastSequence() + 1) + " is missing before " + entry.firstSequence());
        }
        List<Event> events;
        try {
            events = JournalEntry.decode(entry.bytes(), entry.firstSequence(), before.lastHash());
        } catch (CorruptEntryException e) {
            throw new CorruptRunException("its entry at event " + entry.firstSequence() + ": " + e.getMessage(), e);
        }
        RunState state = before;
        try {
            for (Event event : events) {
                state = state.apply(event);
            }
        } catch (RuntimeException e) {
            throw new CorruptRunException("its entry at event " + entry.firstSequence() + " can't be folded", e);
        }
        if (!state.lastHash().equals(entry.hash())) {
            throw new CorruptRunException(
                    "its entry at event " + entry.firstSequence() + " doesn't have the hash that stands beside it");
        }
        return state;
    }
}
