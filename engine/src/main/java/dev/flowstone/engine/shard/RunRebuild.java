package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.program.Programs;
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
import dev.flowstone.kernel.state.UnknownProgramException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * State = snapshot + tail, each event's place in the chain checked against what the run's row says. The row names the
 * program that the run follows now; its snapshot and its older events may name others, which are read as the fold comes
 * upon them.
 */
final class RunRebuild {
    private final Programs programs;
    private final Past past;
    private final RunPrograms known = new RunPrograms();
    private StoredRun stored;

    private RunRebuild(StoredRun stored, Programs programs, Past past) {
        this.stored = stored;
        this.programs = programs;
        this.past = past;
    }

    /** All of a run's entries, which are read only if its snapshot doesn't say all that they do. */
    interface Past {
        static Past of(Journal journal, ShardId shard) {
            return run -> journal.loadWhole(shard, List.of(run)).get(run);
        }

        @Nullable
        StoredRun whole(RunKey run) throws JournalException;
    }

    static CachedRun of(StoredRun stored, Programs programs, Past past) throws CorruptRunException, JournalException {
        return new RunRebuild(stored, programs, past).run();
    }

    private CachedRun run() throws CorruptRunException, JournalException {
        RunState state = start();
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
        if (!state.programHash().equals(stored.program()) || state.version() != stored.version()) {
            throw new CorruptRunException("its events lead to version " + state.version() + ", program "
                    + state.programHash() + "; its row says version " + stored.version() + ", program "
                    + stored.program());
        }
        known.forget();
        long snapshotBytes = stored.snapshot().map(s -> (long) s.bytes().length).orElse(0L);
        return new CachedRun(state, known, snapshotSequence, snapshotBytes, tailBytes);
    }

    private RunState start() throws CorruptRunException, JournalException {
        Program program = program(stored.program());
        if (stored.snapshot().isEmpty()) {
            // Its first event names the program that it began with.
            return Kernel.initial(known, program, stored.program());
        }
        Snapshot snapshot = stored.snapshot().get();
        RunState state;
        try {
            if (!(JsonParser.parse(snapshot.bytes(), JsonLimits.STORED) instanceof JsonObject object)) {
                throw new CorruptRunException("its snapshot at event " + snapshot.sequence() + " is no object");
            }
            Sha256 hash =
                    object.get("program") instanceof JsonString name ? Sha256.parse(name.value()) : stored.program();
            if (!Kernel.isWhole(hash, object)) {
                return fromTheBeginning(program);
            }
            state = Kernel.restore(known, hash.equals(stored.program()) ? program : program(hash), hash, object);
        } catch (JsonSyntaxException | RuntimeException e) {
            throw new CorruptRunException("its snapshot at event " + snapshot.sequence() + " can't be read", e);
        }
        if (state.lastSequence() != snapshot.sequence()) {
            throw new CorruptRunException(
                    "its snapshot says event " + state.lastSequence() + ", its row " + snapshot.sequence());
        }
        return state;
    }

    /** The snapshot is of an earlier release; the next one that is stored is of this. */
    private RunState fromTheBeginning(Program program) throws CorruptRunException, JournalException {
        StoredRun whole = past.whole(stored.key());
        if (whole == null) {
            throw new CorruptRunException("its snapshot is of an earlier release, and its entries can't be found");
        }
        stored = whole;
        return Kernel.initial(known, program, stored.program());
    }

    private Program program(Sha256 hash) throws CorruptRunException, JournalException {
        Optional<Program> found = programs.find(stored.key().tenant(), hash);
        if (found.isEmpty()) {
            throw new CorruptRunException("its program " + hash + " isn't in the store");
        }
        return found.get();
    }

    private RunState fold(RunState before, StoredEntry entry) throws CorruptRunException, JournalException {
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
        for (Event event : events) {
            state = apply(state, event, entry);
        }
        if (!state.lastHash().equals(entry.hash())) {
            throw new CorruptRunException(
                    "its entry at event " + entry.firstSequence() + " doesn't have the hash that stands beside it");
        }
        return state;
    }

    private RunState apply(RunState state, Event event, StoredEntry entry)
            throws CorruptRunException, JournalException {
        try {
            return state.apply(event);
        } catch (UnknownProgramException e) {
            known.learn(e.program(), program(e.program()));
        } catch (RuntimeException e) {
            throw unfoldable(entry, e);
        }
        try {
            return state.apply(event);
        } catch (RuntimeException e) {
            throw unfoldable(entry, e);
        }
    }

    private static CorruptRunException unfoldable(StoredEntry entry, RuntimeException cause) {
        return new CorruptRunException("its entry at event " + entry.firstSequence() + " can't be folded", cause);
    }
}
