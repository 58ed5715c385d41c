package dev.flowstone.bench.rig;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.engine.read.OpenTask;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run that an engine has made, and everything that is kept of it, to be copied under other names. A copy has the same
 * events, in a chain of its own: its name stands in each header, so that all hashes are made anew.
 */
public final class RunTemplate {
    private static final Duration FAR = Duration.ofDays(300);
    private static final int MOST = 1_000;

    private final RunRow row;
    private final List<Decision> decisions;
    private final List<TimerRow> timers;
    private final List<HumanTaskRow> tasks;

    private record Decision(EventHeader header, List<EventBody> bodies) {}

    private RunTemplate(RunRow row, List<Decision> decisions, List<TimerRow> timers, List<HumanTaskRow> tasks) {
        this.row = row;
        this.decisions = decisions;
        this.timers = timers;
        this.tasks = tasks;
    }

    /** Of a run that nobody works on: it is over, or it waits for a timer or a person. */
    public static RunTemplate read(Rig rig, RunKey run) throws JournalException {
        Ports ports = rig.ports();
        RunRow row = ports.runs()
                .run(run.tenant(), run.run())
                .orElseThrow(() -> new IllegalStateException("there is no run " + run));
        List<Decision> decisions = rig.entries().entries(run, 0, MOST).stream()
                .map(entry -> decision(StoredEvents.read(entry)))
                .toList();
        List<HumanTaskRow> tasks =
                ports
                        .humanTasks()
                        .tasks(run.tenant(), HumanTaskFilter.ALL.ofRun(run.run()), Optional.empty(), MOST)
                        .stream()
                        .map(OpenTask::task)
                        .toList();
        return new RunTemplate(row, decisions, timers(ports, run), tasks);
    }

    private static List<TimerRow> timers(Ports ports, RunKey run) throws JournalException {
        Instant far = ports.clock().now().plus(FAR);
        for (Shard shard : ports.leases().shards()) {
            if (shard.holds(run.run().slot())) {
                return ports.journal().timers(shard.id(), far, Optional.empty(), MOST).stream()
                        .filter(timer -> timer.run().equals(run))
                        .toList();
            }
        }
        throw new IllegalStateException("no shard holds " + run);
    }

    private static Decision decision(List<Event> events) {
        return new Decision(
                events.getFirst().header(), events.stream().map(Event::body).toList());
    }

    /** When the run that it was made of began. */
    public Instant time() {
        return row.startedAt();
    }

    /** One more, in one move: all events, and the timers and human tasks that stand open. */
    RunMove copy(RunKey run) {
        List<JournalEntry> entries = new ArrayList<>(decisions.size());
        Sha256 previous = Sha256.ZERO;
        for (Decision decision : decisions) {
            JournalEntry entry = JournalEntry.encode(named(decision.header(), run), decision.bodies(), previous);
            entries.add(entry);
            previous = entry.hash();
        }
        return new RunMove(
                run,
                row.workflow(),
                row.version(),
                row.program(),
                row.correlation(),
                0,
                entries,
                row.status(),
                false,
                row.updatedAt(),
                timers.stream()
                        .map(timer -> new TimerRow(run, timer.timer(), timer.generation(), timer.dueAt()))
                        .toList(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                tasks,
                List.of());
    }

    private static EventHeader named(EventHeader header, RunKey run) {
        return new EventHeader(
                header.schemaVersion(),
                run.tenant(),
                header.workflow(),
                header.typeVersion(),
                run.run(),
                header.firstSequence(),
                header.eventTime(),
                header.effectiveTime(),
                header.actor(),
                header.authorization(),
                header.idempotencyKey(),
                header.causation(),
                header.correlation());
    }
}
