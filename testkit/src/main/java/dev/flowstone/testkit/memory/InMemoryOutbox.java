package dev.flowstone.testkit.memory;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The outbox in memory. */
final class InMemoryOutbox implements Outbox {
    private final InMemoryDatabase database;

    InMemoryOutbox(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public List<Pending> due(Lease lease, Instant now, int limit) throws JournalException {
        synchronized (database) {
            database.checkEpoch(lease);
            return database.outbox.values().stream()
                    .filter(row -> row.deathCause().isEmpty()
                            && !row.due().isAfter(now)
                            && lease.shard().holds(row.pending().run().run().slot()))
                    .sorted(Comparator.comparing(InMemoryDatabase.OutboxRow::due)
                            .thenComparing(row -> row.pending().run())
                            .thenComparingLong(row -> row.pending().message().causeSequence())
                            .thenComparingInt(row -> row.pending().message().ordinal()))
                    .limit(limit)
                    .map(InMemoryDatabase.OutboxRow::pending)
                    .toList();
        }
    }

    @Override
    public void settle(Lease lease, List<Settlement> settlements) throws JournalException {
        synchronized (database) {
            database.checkEpoch(lease);
            for (Settlement settlement : settlements) {
                InMemoryDatabase.OutboxKey key = InMemoryDatabase.OutboxKey.of(settlement.pending());
                InMemoryDatabase.OutboxRow row = database.outbox.get(key);
                if (row != null) {
                    settle(key, row, settlement);
                }
            }
        }
    }

    private void settle(InMemoryDatabase.OutboxKey key, InMemoryDatabase.OutboxRow row, Settlement settlement) {
        Pending tried = new Pending(
                row.pending().run(), row.pending().message(), row.pending().attempts() + 1);
        switch (settlement) {
            case Settlement.Delivered delivered -> database.outbox.remove(key);
            case Settlement.Postponed postponed ->
                database.outbox.put(
                        key, new InMemoryDatabase.OutboxRow(tried, postponed.nextAttempt(), Optional.empty()));
            case Settlement.Dead dead ->
                database.outbox.put(key, new InMemoryDatabase.OutboxRow(tried, row.due(), Optional.of(dead.error())));
        }
    }
}
