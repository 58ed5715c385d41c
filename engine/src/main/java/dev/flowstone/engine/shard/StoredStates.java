package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.program.Programs;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** States of runs as they are stored, for who is no shard's loop and only looks. Thread-safe if its journal is. */
public final class StoredStates {
    private final Journal journal;
    private final List<Shard> shards;
    private final Programs programs;

    /** @param journal whose connections nobody waits for that commits */
    public StoredStates(Journal journal, List<Shard> shards, Programs programs) {
        this.journal = requireNonNull(journal);
        this.shards = List.copyOf(shards);
        this.programs = requireNonNull(programs);
    }

    /** Those that exist, by key; one query for each of their shards. */
    public Map<RunKey, StoredState> read(Collection<RunKey> runs) throws JournalException {
        Map<RunKey, StoredState> found = new HashMap<>();
        for (Shard shard : shards) {
            List<RunKey> here =
                    runs.stream().filter(run -> shard.holds(run.run().slot())).toList();
            if (!here.isEmpty()) {
                RunRebuild.Past past = RunRebuild.Past.of(journal, shard.id());
                for (StoredRun stored : journal.load(shard.id(), here).values()) {
                    found.put(stored.key(), state(stored, past));
                }
            }
        }
        return found;
    }

    private StoredState state(StoredRun stored, RunRebuild.Past past) throws JournalException {
        try {
            CachedRun run = RunRebuild.of(stored, programs, past);
            return new StoredState(stored.lastSequence(), Optional.of(run.state()), "");
        } catch (CorruptRunException | RuntimeException e) {
            return new StoredState(stored.lastSequence(), Optional.empty(), String.valueOf(e.getMessage()));
        }
    }
}
