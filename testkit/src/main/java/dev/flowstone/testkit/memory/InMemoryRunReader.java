package dev.flowstone.testkit.memory;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunCounts;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads the tables in memory as one tenant. */
final class InMemoryRunReader implements RunReader {
    private final InMemoryDatabase database;

    InMemoryRunReader(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public Optional<RunRow> run(TenantId tenant, RunId run) {
        synchronized (database) {
            return Optional.ofNullable(database.runs.get(new RunKey(tenant, run)))
                    .map(RunRecord::row);
        }
    }

    @Override
    public List<RunRow> runs(TenantId tenant, RunFilter filter, Optional<RunId> before, int limit) {
        synchronized (database) {
            return database.runs.descendingMap().values().stream()
                    .filter(run -> run.key.tenant().equals(tenant)
                            && !Aggregates.isAggregate(run.key.run())
                            && before.map(id -> run.key.run().compareTo(id) < 0).orElse(true)
                            && filter.began().holds(run.key.run().birth())
                            && filter.workflow().map(run.workflow::equals).orElse(true)
                            && (filter.statuses().isEmpty() || filter.statuses().contains(run.status())))
                    .limit(limit)
                    .map(RunRecord::row)
                    .toList();
        }
    }

    @Override
    public Map<RunId, RunRow> rows(TenantId tenant, Collection<RunId> runs) {
        Map<RunId, RunRow> rows = new HashMap<>();
        for (RunId run : runs) {
            run(tenant, run).ifPresent(row -> rows.put(run, row));
        }
        return rows;
    }

    @Override
    public RunCounts counts(TenantId tenant, Optional<WorkflowId> workflow) {
        return countsSince(tenant, workflow, Instant.EPOCH, Integer.MAX_VALUE);
    }

    @Override
    public RunCounts countsSince(TenantId tenant, Optional<WorkflowId> workflow, Instant since, int most) {
        List<RunRow> rows = runs(tenant, new RunFilter(workflow, Set.of()), Optional.empty(), Integer.MAX_VALUE);
        List<RunRow> young = rows.stream()
                .filter(row -> !row.key().run().birth().isBefore(since.truncatedTo(ChronoUnit.MILLIS)))
                .toList();
        SortedMap<String, SortedMap<RunStatus, Long>> counts = new TreeMap<>();
        young.stream()
                .limit(most)
                .forEach(row -> counts.computeIfAbsent(row.workflow().value(), _ -> new TreeMap<>())
                        .merge(row.status(), 1L, Long::sum));
        List<RunCounts.Group> groups = new ArrayList<>();
        counts.forEach((name, byStatus) -> byStatus.forEach(
                (status, count) -> groups.add(new RunCounts.Group(new WorkflowId(name), status, count))));
        return new RunCounts(groups, Math.min(most, young.size()), young.size() <= most);
    }

    @Override
    public List<StoredEntry> entries(TenantId tenant, RunId run, long fromSequence, int limit) {
        synchronized (database) {
            RunRecord found = database.runs.get(new RunKey(tenant, run));
            if (found == null) {
                return List.of();
            }
            return found.entries.stream()
                    .filter(entry -> entry.lastSequence() >= fromSequence)
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public Map<RunId, StoredEntry> beginnings(TenantId tenant, Collection<RunId> runs) {
        Map<RunId, StoredEntry> first = new HashMap<>();
        for (RunId run : runs) {
            entries(tenant, run, 1, 1).forEach(entry -> first.put(run, entry));
        }
        return first;
    }

    @Override
    public Map<RunId, byte[]> headersOfFirst(TenantId tenant, Collection<RunId> runs, int most) {
        Map<RunId, byte[]> headers = new HashMap<>();
        beginnings(tenant, runs).forEach((run, entry) -> {
            ByteBuffer frames = ByteBuffer.wrap(entry.bytes());
            byte[] header = new byte[frames.getInt()];
            frames.get(header);
            if (header.length <= most) {
                headers.put(run, header);
            }
        });
        return headers;
    }

    @Override
    public Map<RunId, byte[]> endsOfFirst(TenantId tenant, Collection<RunId> runs, byte[] ending, int most) {
        Map<RunId, byte[]> ends = new HashMap<>();
        beginnings(tenant, runs).forEach((run, entry) -> {
            ByteBuffer frames = ByteBuffer.wrap(entry.bytes());
            frames.position(Integer.BYTES + frames.getInt());
            byte[] first = new byte[frames.getInt()];
            frames.get(first);
            int from = first.length - ending.length;
            if (from >= 0 && Arrays.equals(first, from, first.length, ending, 0, ending.length)) {
                ends.put(run, Arrays.copyOfRange(first, Math.max(0, first.length - most), first.length));
            }
        });
        return ends;
    }

    @Override
    public Map<Sha256, byte[]> payloads(TenantId tenant, Collection<Sha256> hashes) {
        return InMemoryJournal.payloads(database, tenant, hashes);
    }

    @Override
    public Map<Sha256, Byte> firstBytes(TenantId tenant, Collection<Sha256> hashes) {
        return payloads(tenant, hashes).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, content -> content.getValue()[0]));
    }
}
