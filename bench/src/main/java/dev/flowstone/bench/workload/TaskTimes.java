package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.rig.StoredEvents;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * How long tasks took, from the decision that scheduled one to the decision that recorded its answer, by the stored events'
 * own times: the commit of the first is in it, and so is everything that a worker outside and the way to it take.
 */
final class TaskTimes {
    private final Instant from;
    private final Instant to;
    private final Histogram micros = new Histogram(LoadMeter.LONGEST_MICROS, 3);
    private final Map<Open, Instant> open = new HashMap<>();

    private record Open(RunKey run, ActivationId activation) {}

    private TaskTimes(Instant from, Instant to) {
        this.from = from;
        this.to = to;
    }

    /** Of tasks whose answers were recorded in a window of time, in microseconds. */
    static Histogram recordedBetween(EntrySource source, Instant from, Instant to) throws JournalException {
        TaskTimes times = new TaskTimes(from, to);
        StoredEvents.each(source, (run, entry, events) -> events.forEach(event -> times.add(run, event)));
        return times.micros;
    }

    private void add(RunKey run, Event event) {
        Instant time = event.header().eventTime();
        if (event.body() instanceof EventBody.TaskScheduled scheduled) {
            open.put(new Open(run, scheduled.activation()), time);
        } else if (event.body() instanceof EventBody.TaskCompleted completed) {
            Instant since = open.remove(new Open(run, completed.activation()));
            if (since != null && !time.isBefore(from) && time.isBefore(to)) {
                micros.recordValue(
                        LoadMeter.micros(Duration.between(since, time).toNanos()));
            }
        }
    }
}
