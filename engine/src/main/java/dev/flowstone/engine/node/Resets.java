package dev.flowstone.engine.node;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.program.Programs;
import dev.flowstone.engine.read.PastReader;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.shard.ResetPoint;
import dev.flowstone.engine.shard.StartWork;
import dev.flowstone.engine.start.RequestSlot;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunState;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Makes the start of a run out of another run's past: whose it is, whether there was such a point, and what it was like. */
final class Resets {
    private static final System.Logger LOG = System.getLogger(Resets.class.getName());

    private final RunReader runs;
    private final PastReader past;
    private final Clock clock;
    private final Duration retryAfter;

    /** @param retryAfter when to ask again if the database does not answer */
    Resets(RunReader runs, Programs programs, Clock clock, Duration retryAfter) {
        this.runs = runs;
        this.past = new PastReader(runs, programs);
        this.clock = clock;
        this.retryAfter = retryAfter;
    }

    /** Either the start as a loop takes it, or why there is none. */
    sealed interface Made {
        record Start(StartWork work) implements Made {}

        record Refused(StartAnswer answer) implements Made {}
    }

    /** Reads the other run; not for threads of a shard. */
    Made make(ResetRequest request) {
        try {
            return read(request);
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "a reset waits: " + e.getMessage());
            return new Made.Refused(new StartAnswer.Busy("the run's history can't be read now", retryAfter));
        }
    }

    private Made read(ResetRequest request) throws JournalException {
        Optional<RunRow> row =
                Aggregates.isAggregate(request.from()) ? Optional.empty() : runs.run(request.tenant(), request.from());
        if (row.isEmpty()) {
            return refused("NOT_STARTED", "there is no run " + request.from());
        }
        if (request.sequence() < 1 || request.sequence() > row.get().lastSequence()) {
            return refused(
                    "INVALID_COMMAND",
                    "the run has events 1 to " + row.get().lastSequence() + ", and none with number "
                            + request.sequence());
        }
        RunState state = past.at(row.get(), request.sequence());
        StartRequest start = new StartRequest(
                request.tenant(),
                state.program().workflow(),
                state.version(),
                state.programHash(),
                request.requestId(),
                Map.of(),
                request.actor(),
                request.correlation(),
                Requested.NOTHING);
        JsonObject snapshot = state.toJson();
        ResetPoint point =
                new ResetPoint(request.from(), request.sequence(), snapshot, CanonicalJson.exact(snapshot).length);
        // The receipt stands where the same request will look for it again.
        StartWork work = StartWork.reset(
                start,
                request.requestId().map(id -> RequestSlot.of(request.tenant(), request.from() + "/" + id)),
                point,
                clock.now());
        return new Made.Start(work);
    }

    private static Made refused(String code, String reason) {
        return new Made.Refused(new StartAnswer.Refused(code, reason));
    }
}
