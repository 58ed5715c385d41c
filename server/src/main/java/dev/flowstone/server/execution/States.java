package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.server.definition.Programs;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs' states for readers, folded from their events. The states asked for last are kept, so that whoever polls a run pays
 * for its new events only. Thread-safe.
 */
public final class States {
    private static final int KEPT = 512;
    private static final long KEPT_BYTES = 64L << 20;

    private final RunHistory history;
    private final Programs programs;
    private final Map<RunKey, RunState> kept = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    public States(RunHistory history, Programs programs) {
        this.history = requireNonNull(history);
        this.programs = requireNonNull(programs);
    }

    /** As of the row's last event, or of a later one. */
    public RunState of(RunRow row) throws JournalException {
        RunState known = get(row.key());
        if (known != null && known.lastSequence() >= row.lastSequence()) {
            return known;
        }
        TenantId tenant = row.key().tenant();
        Fold fold = new Fold(
                known != null
                        ? known
                        : Kernel.initial(
                                hash -> find(tenant, hash),
                                programs.program(tenant, row.program()).program(),
                                row.program()));
        try {
            history.replay(tenant, row.key().run(), fold.state.lastSequence() + 1, fold::add);
        } catch (ProgramUnreadException e) {
            throw e.cause;
        }
        put(row.key(), fold.state);
        return fold.state;
    }

    /** A run that was moved to another program names both in its events. Readers may wait for them, unlike shards. */
    private Optional<Program> find(TenantId tenant, Sha256 hash) {
        try {
            return Optional.of(programs.program(tenant, hash).program());
        } catch (JournalException e) {
            throw new ProgramUnreadException(e);
        }
    }

    /** Carries the database's answer through the fold, which knows of no database. */
    private static final class ProgramUnreadException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final JournalException cause;

        ProgramUnreadException(JournalException cause) {
            super(cause);
            this.cause = cause;
        }
    }

    private synchronized @Nullable RunState get(RunKey key) {
        return kept.get(key);
    }

    private synchronized void put(RunKey key, RunState state) {
        RunState before = kept.put(key, state);
        bytes += state.weight() - (before == null ? 0 : before.weight());
        while (kept.size() > KEPT || (bytes > KEPT_BYTES && kept.size() > 1)) {
            var eldest = kept.entrySet().iterator();
            bytes -= eldest.next().getValue().weight();
            eldest.remove();
        }
    }

    private static final class Fold {
        RunState state;

        Fold(RunState before) {
            this.state = before;
        }

        void add(Event event) {
            state = state.apply(event);
        }
    }
}
