package dev.flowstone.testkit.conformance;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds moves without a kernel: a journal stores an entry's bytes and never looks into them, so any bytes will do. Each
 * entry's hash is made of the run, its number and its bytes.
 */
public final class MoveBuilder {
    static final WorkflowId WORKFLOW = new WorkflowId("conformance");
    static final Sha256 PROGRAM = Sha256.digest("a program".getBytes(StandardCharsets.UTF_8));

    private final RunKey key;
    private final long expected;
    private final Instant time;
    private final List<JournalEntry> entries = new ArrayList<>();
    private final List<TimerRow> timersSet = new ArrayList<>();
    private final List<TimerId> timersGone = new ArrayList<>();
    private final List<Receipt> receipts = new ArrayList<>();
    private final List<StoredPayload> payloads = new ArrayList<>();
    private final List<OutboxMessage> outbox = new ArrayList<>();
    private final List<Letter> letters = new ArrayList<>();
    private final List<HumanTaskRow> tasksOpen = new ArrayList<>();
    private final List<ActivationId> tasksGone = new ArrayList<>();
    private Optional<Snapshot> snapshot = Optional.empty();
    private Optional<WindowRow> window = Optional.empty();
    private WorkflowId workflow = WORKFLOW;
    private String correlation = "a correlation";
    private RunStatus status = RunStatus.RUNNING;
    private boolean awake;
    private int version = 1;
    private Sha256 program = PROGRAM;
    private boolean newProgram;

    /** A move of a run after that event, so far without entries. */
    public MoveBuilder(RunKey key, long expectedSequence, Instant time) {
        this.key = key;
        this.expected = expectedSequence;
        this.time = time;
    }

    /** Adds an entry of so many events. */
    public MoveBuilder entry(int events, byte[] bytes) {
        long first = entries.isEmpty() ? expected + 1 : entries.getLast().lastSequence() + 1;
        long last = first + events - 1;
        byte[] name = (key + "/" + last).getBytes(StandardCharsets.UTF_8);
        entries.add(new JournalEntry(first, last, bytes, Sha256.digest(name, bytes)));
        return this;
    }

    /** Adds an entry of so many events. */
    public MoveBuilder entry(int events) {
        return entry(events, ("some events of " + key).getBytes(StandardCharsets.UTF_8));
    }

    public MoveBuilder workflow(WorkflowId name) {
        this.workflow = name;
        return this;
    }

    public MoveBuilder version(int number) {
        this.version = number;
        return this;
    }

    public MoveBuilder correlation(String text) {
        this.correlation = text;
        return this;
    }

    public MoveBuilder status(RunStatus newStatus) {
        this.status = newStatus;
        return this;
    }

    public MoveBuilder awake() {
        this.awake = true;
        return this;
    }

    public MoveBuilder timer(String timer, int generation, Instant due) {
        timersSet.add(new TimerRow(key, new TimerId(timer), generation, due));
        return this;
    }

    public MoveBuilder timerGone(String timer) {
        timersGone.add(new TimerId(timer));
        return this;
    }

    /** Keeps a snapshot at the move's last event; add the entries first. */
    public MoveBuilder snapshot(byte[] bytes) {
        this.snapshot = Optional.of(new Snapshot(entries.getLast().lastSequence(), bytes));
        return this;
    }

    public MoveBuilder receipt(Receipt receipt) {
        receipts.add(receipt);
        return this;
    }

    public MoveBuilder payload(byte[] bytes) {
        payloads.add(new StoredPayload(Sha256.digest(bytes), bytes));
        return this;
    }

    public MoveBuilder message(OutboxMessage message) {
        outbox.add(message);
        return this;
    }

    /** Sends a letter with the move's last event; add the entries first. */
    public MoveBuilder letter(RunId receiver, JsonObject content) {
        long number = entries.getLast().lastSequence();
        letters.add(new Letter(new LetterKey(key.tenant(), key.run(), number, receiver), content));
        return this;
    }

    public MoveBuilder task(HumanTaskRow row) {
        tasksOpen.add(row);
        return this;
    }

    public MoveBuilder taskGone(ActivationId activation) {
        tasksGone.add(activation);
        return this;
    }

    /** The run follows this program from now on. */
    public MoveBuilder migrated(int toVersion, Sha256 toProgram) {
        this.version = toVersion;
        this.program = toProgram;
        this.newProgram = true;
        return this;
    }

    public MoveBuilder window(WindowRow row) {
        this.window = Optional.of(row);
        return this;
    }

    public RunMove build() {
        if (entries.isEmpty()) {
            entry(1);
        }
        return new RunMove(
                key,
                workflow,
                version,
                program,
                correlation,
                expected,
                entries,
                status,
                awake,
                time,
                timersSet,
                timersGone,
                snapshot,
                receipts,
                payloads,
                outbox,
                letters,
                tasksOpen,
                tasksGone,
                newProgram,
                window);
    }
}
