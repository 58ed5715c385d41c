package dev.flowstone.server.execution;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunCounts;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.event.MessageEvent.ChildBegun;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.event.MessageEvent.MessageReceived;
import dev.flowstone.kernel.event.NewerEntryException;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** Runs whose logs a test writes event by event, also while they are read; counts how many entries of them are read. */
public final class Logs implements RunReader {
    public static final TenantId TENANT = new TenantId("acme");
    private static final Instant TIME = Instant.parse("2026-11-27T12:00:00Z");
    private static final WorkflowId WORKFLOW = new WorkflowId("w");

    private final Map<RunId, List<StoredEntry>> logs = new ConcurrentHashMap<>();
    private final Map<RunId, RunStatus> statuses = new ConcurrentHashMap<>();
    private long read;
    private final AtomicLong looks = new AtomicLong();

    public static RunId run(long number) {
        return RunId.of(TIME, new Slot(1), number);
    }

    static ActivationId activation(String node) {
        return new ActivationId(new NodeId(node), 1);
    }

    static ChildStarted calls(String node, RunId child) {
        return new ChildStarted(activation(node), child, WORKFLOW, 1, Sha256.ZERO, Map.of(), true);
    }

    static ChildBegun calledBy(RunId caller) {
        return new ChildBegun(caller, activation("a"), true, caller, 1, List.of(WORKFLOW), "user:ada");
    }

    static ChildEnded ended(String node, RunId child, Message.Ended how) {
        return new ChildEnded(activation(node), child, how, Payload.of(JsonNull.NULL), Optional.empty());
    }

    /** Something that is about no child. */
    public static EventBody other() {
        return new MessageReceived(run(999_999), 1);
    }

    /** An event by itself, for a fold. */
    public static Event event(long sequence, EventBody body) {
        return new Event(header(run(1), sequence), sequence, Sha256.ZERO, Sha256.ZERO, body);
    }

    /** Writes events of a run that goes on, each decided by itself. */
    public Logs add(RunId run, EventBody... bodies) {
        for (EventBody body : bodies) {
            decide(run, body);
        }
        return this;
    }

    /** Writes events of a run that goes on, decided together. */
    public Logs decide(RunId run, EventBody... bodies) {
        List<StoredEntry> log = logs.computeIfAbsent(run, _ -> new CopyOnWriteArrayList<>());
        statuses.putIfAbsent(run, RunStatus.RUNNING);
        Sha256 before = log.isEmpty() ? Sha256.ZERO : log.getLast().hash();
        long next = log.isEmpty() ? 1 : log.getLast().lastSequence() + 1;
        JournalEntry entry = JournalEntry.encode(header(run, next), List.of(bodies), before);
        log.add(new StoredEntry(entry.firstSequence(), entry.lastSequence(), entry.bytes(), entry.hash()));
        return this;
    }

    public void end(RunId run, RunStatus how) {
        statuses.put(run, how);
    }

    /** Writes events that were decided together by a release that is yet to come. */
    public void decideLater(RunId run, EventBody... bodies) {
        decide(run, bodies);
        List<StoredEntry> log = logs.getOrDefault(run, List.of());
        StoredEntry known = log.getLast();
        byte[] bytes = new String(known.bytes(), StandardCharsets.ISO_8859_1)
                .replaceFirst("\"v\":1,", "\"v\":2,")
                .getBytes(StandardCharsets.ISO_8859_1);
        Sha256 before = log.size() == 1 ? Sha256.ZERO : log.get(log.size() - 2).hash();
        try {
            throw new AssertionError(JournalEntry.decode(bytes, known.firstSequence(), before) + " are known");
        } catch (NewerEntryException e) {
            log.set(log.size() - 1, new StoredEntry(known.firstSequence(), known.lastSequence(), bytes, e.hash()));
        } catch (CorruptEntryException e) {
            throw new AssertionError(e);
        }
    }

    /** Somebody changes what is stored of an event, and of those that were decided with it. */
    public void damage(RunId run, long sequence) {
        replace(
                run,
                sequence,
                entry -> new StoredEntry(
                        entry.firstSequence(), entry.lastSequence(), new byte[] {'{', '}'}, entry.hash()));
    }

    /** Somebody changes the hash that is kept beside it. */
    public void rehash(RunId run, long sequence) {
        replace(
                run,
                sequence,
                entry -> new StoredEntry(entry.firstSequence(), entry.lastSequence(), entry.bytes(), Sha256.ZERO));
    }

    private void replace(RunId run, long sequence, UnaryOperator<StoredEntry> change) {
        logs.getOrDefault(run, List.of())
                .replaceAll(entry -> entry.firstSequence() <= sequence && sequence <= entry.lastSequence()
                        ? change.apply(entry)
                        : entry);
    }

    /** As archiving does. */
    public void remove(RunId run) {
        logs.remove(run);
        statuses.remove(run);
    }

    /** Entries that were read since the last time. */
    long read() {
        long since = read;
        read = 0;
        return since;
    }

    /** How often the row of a run was read. */
    public long looks() {
        return looks.get();
    }

    private static EventHeader header(RunId run, long sequence) {
        return new EventHeader(
                EventHeader.SCHEMA,
                TENANT,
                WORKFLOW,
                1,
                run,
                sequence,
                TIME,
                Optional.empty(),
                new Actor("user", "ada"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "corr");
    }

    @Override
    public Optional<RunRow> run(TenantId tenant, RunId run) {
        looks.incrementAndGet();
        return Optional.ofNullable(statuses.get(run)).map(status -> {
            StoredEntry last = logs.getOrDefault(run, List.of()).getLast();
            return new RunRow(
                    new RunKey(TENANT, run),
                    WORKFLOW,
                    1,
                    Sha256.ZERO,
                    "corr",
                    status,
                    last.lastSequence(),
                    last.hash(),
                    TIME,
                    TIME,
                    Optional.empty());
        });
    }

    @Override
    public Map<RunId, RunRow> rows(TenantId tenant, Collection<RunId> runs) {
        Map<RunId, RunRow> rows = new HashMap<>();
        runs.forEach(run -> run(tenant, run).ifPresent(row -> rows.put(run, row)));
        return rows;
    }

    @Override
    public List<StoredEntry> entries(TenantId tenant, RunId run, long fromSequence, int limit) {
        List<StoredEntry> found = logs.getOrDefault(run, List.of()).stream()
                .filter(entry -> entry.lastSequence() >= fromSequence)
                .limit(limit)
                .toList();
        read += found.size();
        return found;
    }

    @Override
    public List<RunRow> runs(TenantId tenant, RunFilter filter, Optional<RunId> before, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RunCounts counts(TenantId tenant, Optional<WorkflowId> workflow) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RunCounts countsSince(TenantId tenant, Optional<WorkflowId> workflow, Instant since, int most) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<RunId, StoredEntry> beginnings(TenantId tenant, Collection<RunId> runs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<RunId, byte[]> endsOfFirst(TenantId tenant, Collection<RunId> runs, byte[] ending, int most) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<RunId, byte[]> headersOfFirst(TenantId tenant, Collection<RunId> runs, int most) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<Sha256, byte[]> payloads(TenantId tenant, Collection<Sha256> hashes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<Sha256, Byte> firstBytes(TenantId tenant, Collection<Sha256> hashes) {
        throw new UnsupportedOperationException();
    }
}
