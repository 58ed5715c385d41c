package dev.flowstone.testkit.memory;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.effect.Wanted;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.id.TimerId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The outbox in memory. */
final class InMemoryOutbox implements Outbox {
    private static final TimerId SUSPENDED = new TimerId("suspended");

    private final InMemoryDatabase database;
    private final InMemoryOutboxControl control;

    InMemoryOutbox(InMemoryDatabase database) {
        this.database = database;
        this.control = new InMemoryOutboxControl(database);
    }

    @Override
    public OutboxControl control() {
        return control;
    }

    /** One that is due, and its place among those of its destination. */
    private record Turn(int number, InMemoryDatabase.OutboxRow row) {}

    private static final Comparator<InMemoryDatabase.OutboxRow> OLDEST = Comparator.comparing(
                    InMemoryDatabase.OutboxRow::due)
            .thenComparing(row -> row.pending().key());

    @Override
    public List<Pending> due(Lease lease, Instant now, Wanted wanted) throws JournalException {
        synchronized (database) {
            database.checkEpoch(lease);
            List<InMemoryDatabase.OutboxRow> oldest = database.outbox.values().stream()
                    .filter(row -> row.death().isEmpty()
                            && !row.due().isAfter(now)
                            && lease.shard().holds(row.pending().run().run().slot())
                            && !isSuspended(row.pending().run(), wanted))
                    .sorted(OLDEST)
                    .toList();
            Map<String, Integer> taken = new HashMap<>();
            List<Turn> turns = new ArrayList<>();
            for (InMemoryDatabase.OutboxRow row : oldest) {
                String destination = row.pending().message().destination();
                int number = taken.merge(destination, 1, Integer::sum);
                if (number <= wanted.of(destination)) {
                    turns.add(new Turn(number, row));
                }
            }
            return turns.stream()
                    .sorted(Comparator.comparingInt(Turn::number).thenComparing(Turn::row, OLDEST))
                    .limit(wanted.limit())
                    .map(turn -> turn.row().pending())
                    .toList();
        }
    }

    private boolean isSuspended(RunKey key, Wanted wanted) {
        RunRecord run = database.runs.get(key);
        return run != null
                && ((run.timers.containsKey(SUSPENDED) && !run.status().isFinal())
                        || wanted.suspends(key.tenant(), run.workflow));
    }

    @Override
    public boolean knows(OutboxKey key) {
        synchronized (database) {
            return database.outbox.containsKey(key)
                    || database.deliveries.containsKey(key)
                    || database.deeds.containsKey(key);
        }
    }

    @Override
    public void settle(Lease lease, List<Settlement> settlements) throws JournalException {
        synchronized (database) {
            database.checkEpoch(lease);
            for (Settlement settlement : settlements) {
                OutboxKey key = settlement.pending().key();
                tell(key, settlement);
                InMemoryDatabase.OutboxRow row = database.outbox.get(key);
                if (row != null && row.death().isEmpty() && counts(row, settlement)) {
                    settle(key, row, settlement);
                }
            }
        }
    }

    /** What was settled before, under a reply that was lost, does not; but what has left has left. */
    private static boolean counts(InMemoryDatabase.OutboxRow row, Settlement settlement) {
        return settlement instanceof Settlement.Delivered
                || row.pending().attempt() == settlement.pending().attempt();
    }

    private void tell(OutboxKey key, Settlement settlement) {
        Evidence evidence = settlement.evidence();
        int number = settlement.pending().attempt();
        List<OutboxControl.Attempt> told = database.deliveries.computeIfAbsent(key, any -> new ArrayList<>());
        if (told.stream().noneMatch(known -> known.attempt() == number)) {
            told.add(new OutboxControl.Attempt(
                    number,
                    settlement.pending().message().destination(),
                    evidence.begunAt(),
                    evidence.took(),
                    switch (settlement) {
                        case Settlement.Delivered _ -> OutboxControl.Outcome.DELIVERED;
                        case Settlement.Postponed _ -> OutboxControl.Outcome.POSTPONED;
                        case Settlement.Dead _ -> OutboxControl.Outcome.DEAD;
                    },
                    evidence.status(),
                    switch (settlement) {
                        case Settlement.Delivered _ -> Optional.empty();
                        case Settlement.Postponed postponed -> Optional.of(postponed.error());
                        case Settlement.Dead dead -> Optional.of(dead.error());
                    }));
        }
    }

    private void settle(OutboxKey key, InMemoryDatabase.OutboxRow row, Settlement settlement) {
        Pending tried = new Pending(
                row.pending().run(),
                row.pending().message(),
                row.pending().attempts() + 1,
                row.pending().before());
        Optional<Instant> failedAt = Optional.of(
                settlement.evidence().begunAt().plus(settlement.evidence().took()));
        switch (settlement) {
            case Settlement.Delivered _ -> database.outbox.remove(key);
            case Settlement.Postponed postponed ->
                database.outbox.put(
                        key,
                        new InMemoryDatabase.OutboxRow(
                                tried,
                                postponed.nextAttempt(),
                                Optional.empty(),
                                Optional.of(postponed.error()),
                                failedAt));
            case Settlement.Dead dead ->
                database.outbox.put(
                        key,
                        new InMemoryDatabase.OutboxRow(
                                tried, row.due(), Optional.of(dead.reason()), Optional.of(dead.error()), failedAt));
        }
    }
}
