package dev.flowstone.server.metric;

import dev.flowstone.engine.shard.SettledCommand;
import dev.flowstone.kernel.event.EventBody;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What one commit adds to the counters that every command and every event counts in, gathered before it is added. */
final class CommitTally {
    private final Instant now;
    private final Spread.Tally latencies = new Spread.Tally(Scale.QUICK);
    private final Map<SettledCommand.Fate, long[]> fates = new EnumMap<>(SettledCommand.Fate.class);
    private final long[] events = new long[EventKinds.size()];
    private long commands;

    CommitTally(Instant now) {
        this.now = now;
    }

    void command(SettledCommand command) {
        Instant since = command.enqueuedAt();
        latencies.add(
                (now.getEpochSecond() - since.getEpochSecond()) * 1_000_000_000L + now.getNano() - since.getNano());
        fates.computeIfAbsent(command.fate(), _ -> new long[1])[0]++;
        commands++;
    }

    void event(EventBody event) {
        events[EventKinds.number(event)]++;
    }

    void addTo(EngineFamilies families) {
        if (commands > 0) {
            families.decisionLatency.cell().add(latencies);
            families.commitDecisions.cell().add(commands);
        }
        fates.forEach(
                (fate, count) -> families.decisions.add(count[0], fate.name().toLowerCase(Locale.ROOT)));
        for (int kind = 0; kind < events.length; kind++) {
            if (events[kind] > 0) {
                families.events.add(events[kind], EventKinds.name(kind));
            }
        }
    }
}
