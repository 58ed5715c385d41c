package dev.flowstone.engine.node;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.mend.Correction;
import dev.flowstone.engine.mend.Difference;
import dev.flowstone.engine.mend.Differences;
import dev.flowstone.engine.mend.MendAnswer;
import dev.flowstone.engine.mend.Projection;
import dev.flowstone.engine.mend.Projections;
import dev.flowstone.engine.program.Programs;
import dev.flowstone.engine.read.PastReader;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.shard.Projected;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes a run's rows anew from its log: folds all of its events, recomputing the chain from the first on, and compares. What the
 * log says is believed only if it ends exactly where the run's row says, in number and hash.
 */
final class Rebuilds {
    private static final System.Logger LOG = System.getLogger(Rebuilds.class.getName());

    private final RunReader runs;
    private final Projections projections;
    private final Programs programs;
    private final PastReader past;
    private final Duration retryAfter;

    /** @param retryAfter when to ask again if the run moves meanwhile, or the database does not answer */
    Rebuilds(RunReader runs, Projections projections, Programs programs, Duration retryAfter) {
        this.runs = runs;
        this.projections = projections;
        this.programs = programs;
        this.past = new PastReader(runs, programs);
        this.retryAfter = retryAfter;
    }

    /** Either what is to be written, or why nothing is. */
    sealed interface Made {
        record Rows(Correction correction) implements Made {}

        record Answer(MendAnswer answer) implements Made {}
    }

    /** Reads all of the run; not for threads of a shard. */
    Made make(RunKey run) {
        try {
            return read(run);
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "a rebuild waits: " + e.getMessage());
            return new Made.Answer(new MendAnswer.Busy("the run's history can't be read now", retryAfter));
        }
    }

    private Made read(RunKey run) throws JournalException {
        Optional<RunRow> row = Aggregates.isAggregate(run.run()) ? Optional.empty() : runs.run(run.tenant(), run.run());
        if (row.isEmpty()) {
            return new Made.Answer(new MendAnswer.Absent());
        }
        Optional<Projection> stored = projections.keptApart() ? projections.read(run) : Optional.empty();
        if (projections.keptApart()
                && (stored.isEmpty() || stored.get().lastSequence() != row.get().lastSequence())) {
            return moved();
        }
        Optional<Snapshot> snapshot = stored.flatMap(Projection::snapshot);
        RunState atSnapshot;
        RunState state;
        try {
            PastReader.Walk walk = past.from(row.get());
            atSnapshot = walk.to(snapshot.map(Snapshot::sequence).orElse(0L));
            // One further than the row says there are any: a log that goes on is another one.
            state = walk.to(row.get().lastSequence() + 1);
        } catch (RuntimeException e) {
            return damaged(String.valueOf(e.getMessage()));
        }
        if (state.lastSequence() != row.get().lastSequence()
                || !state.lastHash().equals(row.get().lastHash())) {
            return runs.run(run.tenant(), run.run()).equals(row)
                    ? damaged("its log ends at event " + state.lastSequence() + " in hash " + state.lastHash()
                            + ", its row says event " + row.get().lastSequence() + " and hash "
                            + row.get().lastHash())
                    : moved();
        }
        if (!state.programHash().equals(row.get().program())
                || state.version() != row.get().version()) {
            return damaged("its log leads to version " + state.version() + ", its row says version "
                    + row.get().version());
        }
        Projection derived = Projected.of(state);
        List<Difference> differences = new ArrayList<>();
        if (stored.isPresent()) {
            differences.addAll(Differences.of(stored.get(), derived));
        }
        if (snapshot.isPresent()) {
            snapshot(run, snapshot.get(), atSnapshot).ifPresent(differences::add);
        }
        return new Made.Rows(new Correction(derived, differences));
    }

    private Made moved() {
        return new Made.Answer(new MendAnswer.Busy("the run moves meanwhile", retryAfter));
    }

    private static Made damaged(String reason) {
        return new Made.Answer(new MendAnswer.Damaged(reason));
    }

    /** Whether a snapshot says anything else than the events up to it; one of an earlier release may say less. */
    private Optional<Difference> snapshot(RunKey run, Snapshot snapshot, RunState folded) throws JournalException {
        String fault;
        try {
            if (!(JsonParser.parse(snapshot.bytes(), JsonLimits.STORED) instanceof JsonObject object)) {
                fault = "no object";
            } else {
                Sha256 hash = object.get("program") instanceof JsonString name
                        ? Sha256.parse(name.value())
                        : folded.programHash();
                Optional<Program> program = programs.find(run.tenant(), hash);
                boolean same = program.isPresent()
                        && (!Kernel.isWhole(hash, object)
                                || Kernel.restore(program.get(), hash, object)
                                        .toJson()
                                        .equals(folded.toJson()));
                fault = same ? "" : "another state";
            }
        } catch (JsonSyntaxException | RuntimeException e) {
            fault = "unreadable (" + e.getMessage() + ")";
        }
        return fault.isEmpty()
                ? Optional.empty()
                : Optional.of(new Difference(
                        Difference.Part.SNAPSHOT,
                        "snapshot at event " + snapshot.sequence(),
                        fault,
                        "what the events up to there say"));
    }
}
