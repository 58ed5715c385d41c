package dev.flowstone.postgres;

import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Runs that were born months ago, with chains that verify, and the months that they were born in. */
final class OldRuns {
    /** A month that is long over. */
    static final YearMonth MONTH = YearMonth.of(2026, 3);

    static final Instant BIRTH = MONTH.atDay(10).atTime(12, 0).toInstant(ZoneOffset.UTC);

    /** Keeps nothing that {@link #over} made. */
    static final Instant CUTOFF = BIRTH.plusSeconds(3600);

    static final Sha256 PROGRAM = Sha256.digest(new byte[] {'"', 'p', '"'});

    private static final AtomicLong NEXT = new AtomicLong();

    private OldRuns() {}

    /** Makes these months' partitions in a database in which nobody was born yet, as if it had been installed long ago. */
    static String partitions() {
        List<String> statements = new ArrayList<>(List.of(
                "BEGIN",
                "SET LOCAL ROLE flowstone_owner",
                "DROP TABLE flowstone.entries_before",
                "SELECT flowstone.add_partition('entries_before', NULL, flowstone.first_run_id('" + first(MONTH)
                        + "'))"));
        for (YearMonth month = MONTH; month.isBefore(YearMonth.now(ZoneOffset.UTC)); month = month.plusMonths(1)) {
            statements.add("SELECT flowstone.add_partition('" + partition(month) + "', flowstone.first_run_id('"
                    + first(month) + "'), flowstone.first_run_id('" + first(month.plusMonths(1)) + "'))");
        }
        statements.add("COMMIT");
        return String.join(";\n", statements);
    }

    private static Instant first(YearMonth month) {
        return month.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    }

    static String partition(YearMonth month) {
        return "entries_" + month.toString().replace('-', '_');
    }

    static RunKey key(Lease lease, TenantId tenant) {
        long number = NEXT.incrementAndGet();
        return new RunKey(
                tenant,
                RunId.of(BIRTH.plusMillis(number), new Slot(lease.shard().firstSlot()), number));
    }

    /** A run that ended soon after its birth: three decisions of two events each. */
    static RunMove over(RunKey key) {
        return begun(key, RunStatus.SUCCEEDED, List.of(new EventBody.ContinueScheduled()));
    }

    /** The same, whose last decision ends with this event. */
    static RunMove over(RunKey key, EventBody last) {
        return begun(key, RunStatus.SUCCEEDED, List.of(last));
    }

    /** A run that still goes on. */
    static RunMove living(RunKey key) {
        return begun(key, RunStatus.RUNNING, List.of(new EventBody.ContinueScheduled()));
    }

    private static RunMove begun(RunKey key, RunStatus status, List<EventBody> last) {
        List<JournalEntry> entries = new ArrayList<>();
        entries.add(JournalEntry.encode(
                header(key, 1),
                List.of(
                        new EventBody.RunStarted(PROGRAM, Optional.empty(), Map.of()),
                        new EventBody.ContinueScheduled()),
                Sha256.ZERO));
        for (int i = 0; i < 2; i++) {
            List<EventBody> bodies = new ArrayList<>(List.of(new EventBody.ContinueScheduled()));
            bodies.addAll(i == 1 ? last : List.of(new EventBody.ContinueScheduled()));
            entries.add(JournalEntry.encode(
                    header(key, 3 + 2L * i), bodies, entries.getLast().hash()));
        }
        return move(key, 0, entries, status, List.of());
    }

    /** One that began with a value that is kept beside its events. */
    static RunMove withPayload(RunKey key, byte[] canonical) {
        Sha256 hash = Sha256.digest(canonical);
        JournalEntry entry = JournalEntry.encode(
                header(key, 1),
                List.of(new EventBody.RunStarted(
                        PROGRAM, Optional.empty(), Map.of("x", new Payload.Stored(hash, canonical.length)))),
                Sha256.ZERO);
        return move(key, 0, List.of(entry), RunStatus.SUCCEEDED, List.of(new StoredPayload(hash, canonical)));
    }

    /** One more decision of a run that stands so. */
    static RunMove next(RunRow row) {
        long first = row.lastSequence() + 1;
        JournalEntry entry = JournalEntry.encode(
                header(row.key(), first), List.of(new EventBody.ContinueScheduled()), row.lastHash());
        return move(row.key(), row.lastSequence(), List.of(entry), row.status(), List.of());
    }

    private static EventHeader header(RunKey key, long first) {
        return new EventHeader(
                1,
                key.tenant(),
                new WorkflowId("w"),
                1,
                key.run(),
                first,
                key.run().birth(),
                Optional.empty(),
                Actor.ENGINE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "c");
    }

    private static RunMove move(
            RunKey key, long expected, List<JournalEntry> entries, RunStatus status, List<StoredPayload> payloads) {
        return new RunMove(
                key,
                new WorkflowId("w"),
                1,
                PROGRAM,
                "c",
                expected,
                entries,
                status,
                false,
                key.run().birth(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                payloads,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** The same, and what keeps it. */
    static RunMove keeping(RunMove move, List<TimerRow> timers, List<Receipt> receipts, List<OutboxMessage> outbox) {
        return new RunMove(
                move.key(),
                move.workflow(),
                move.version(),
                move.program(),
                move.correlation(),
                move.expectedSequence(),
                move.entries(),
                move.status(),
                move.awake(),
                move.eventTime(),
                timers,
                move.timersGone(),
                move.snapshot(),
                receipts,
                move.payloads(),
                outbox,
                move.letters(),
                move.tasksOpen(),
                move.tasksGone());
    }

    /** The same, with letters to others. */
    static RunMove writing(RunMove move, List<Letter> letters) {
        return new RunMove(
                move.key(),
                move.workflow(),
                move.version(),
                move.program(),
                move.correlation(),
                move.expectedSequence(),
                move.entries(),
                move.status(),
                move.awake(),
                move.eventTime(),
                move.timersSet(),
                move.timersGone(),
                move.snapshot(),
                move.receipts(),
                move.payloads(),
                move.outbox(),
                letters,
                move.tasksOpen(),
                move.tasksGone());
    }

    /** A run that an engine has made, under an old name: all its events in a chain of its own, and its timers. */
    static RunMove copy(RunRow row, List<StoredEntry> entries, List<TimerRow> timers, RunKey to)
            throws CorruptEntryException {
        List<JournalEntry> copies = new ArrayList<>();
        Sha256 read = Sha256.ZERO;
        Sha256 written = Sha256.ZERO;
        for (StoredEntry entry : entries) {
            List<Event> events = JournalEntry.decode(entry.bytes(), entry.firstSequence(), read);
            EventHeader header = events.getFirst().header();
            JournalEntry copy = JournalEntry.encode(
                    new EventHeader(
                            header.schemaVersion(),
                            to.tenant(),
                            header.workflow(),
                            header.typeVersion(),
                            to.run(),
                            header.firstSequence(),
                            header.eventTime(),
                            header.effectiveTime(),
                            header.actor(),
                            header.authorization(),
                            header.idempotencyKey(),
                            header.causation(),
                            header.correlation()),
                    events.stream().map(Event::body).toList(),
                    written);
            copies.add(copy);
            written = copy.hash();
            read = entry.hash();
        }
        return new RunMove(
                to,
                row.workflow(),
                row.version(),
                row.program(),
                row.correlation(),
                0,
                copies,
                row.status(),
                false,
                row.updatedAt(),
                timers.stream()
                        .map(timer -> new TimerRow(to, timer.timer(), timer.generation(), timer.dueAt()))
                        .toList(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }
}
