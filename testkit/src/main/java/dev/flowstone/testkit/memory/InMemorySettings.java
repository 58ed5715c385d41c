package dev.flowstone.testkit.memory;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings of scopes in memory. */
final class InMemorySettings implements Settings {
    private final InMemoryDatabase database;

    InMemorySettings(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public List<ScopeSetting> append(SettingRequest request) {
        synchronized (database) {
            Map<SettingScope, ScopeSetting> newest = new LinkedHashMap<>();
            database.settings.forEach(row -> newest.put(row.scope(), row));
            Instant now = database.clock.now().truncatedTo(ChronoUnit.MICROS);
            Instant last = database.settings.isEmpty()
                    ? now
                    : database.settings.getLast().at();
            List<ScopeSetting> rows =
                    request.rows(newest.values(), database.settings.size() + 1, now.isBefore(last) ? last : now);
            database.settings.addAll(rows);
            return rows;
        }
    }

    @Override
    public List<ScopeSetting> after(long number, int limit) {
        synchronized (database) {
            return database.settings.stream().skip(number).limit(limit).toList();
        }
    }

    @Override
    public void acknowledge(Lease lease, long number) throws JournalException {
        synchronized (database) {
            database.checkEpoch(lease);
            InMemoryDatabase.LeaseRow row = database.leaseRow(lease.shard().id());
            row.heeded = row.heededAt == lease.epoch() ? Math.max(row.heeded, number) : number;
            row.heededAt = lease.epoch();
        }
    }

    @Override
    public List<ShardAcknowledgement> acknowledgements() {
        synchronized (database) {
            List<ShardAcknowledgement> shards = new ArrayList<>();
            for (Shard shard : database.shards) {
                InMemoryDatabase.LeaseRow row = database.leaseRow(shard.id());
                if (row.holder.isPresent() && row.until.isAfter(database.clock.now())) {
                    long number = row.heededAt == row.epoch ? row.heeded : 0;
                    shards.add(new ShardAcknowledgement(shard.id(), row.holder.get(), row.epoch, number));
                }
            }
            return shards;
        }
    }
}
