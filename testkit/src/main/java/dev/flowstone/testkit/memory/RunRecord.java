package dev.flowstone.testkit.memory;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run's rows. Guarded by its database's monitor. */
final class RunRecord {
    final RunKey key;
    final WorkflowId workflow;
    final String correlation;
    final Instant startedAt;
    final List<StoredEntry> entries = new ArrayList<>();
    final Map<TimerId, TimerRow> timers = new HashMap<>();
    private int version;
    private Sha256 program;
    private RunStatus status = RunStatus.RUNNING;
    private boolean awake;
    private Instant updatedAt;
    private Optional<Snapshot> snapshot = Optional.empty();

    RunRecord(RunMove first) {
        this.key = first.key();
        this.workflow = first.workflow();
        this.version = first.version();
        this.program = first.program();
        this.correlation = first.correlation();
        this.startedAt = first.eventTime();
        this.updatedAt = first.eventTime();
    }

    long lastSequence() {
        return entries.isEmpty() ? 0 : entries.getLast().lastSequence();
    }

    Sha256 lastHash() {
        return entries.isEmpty() ? Sha256.ZERO : entries.getLast().hash();
    }

    boolean awake() {
        return awake;
    }

    void move(RunMove move) {
        for (JournalEntry entry : move.entries()) {
            entries.add(new StoredEntry(
                    entry.firstSequence(), entry.lastSequence(), entry.bytes().clone(), entry.hash()));
        }
        status = move.status();
        awake = move.awake();
        updatedAt = move.eventTime();
        if (move.newProgram()) {
            version = move.version();
            program = move.program();
        }
        if (move.snapshot().isPresent()) {
            snapshot = move.snapshot();
        }
    }

    StoredRun stored() {
        long from = snapshot.map(Snapshot::sequence).orElse(0L);
        List<StoredEntry> tail =
                entries.stream().filter(e -> e.firstSequence() > from).toList();
        return new StoredRun(key, workflow, version, program, lastSequence(), lastHash(), snapshot, tail);
    }

    /** All of it, without the snapshot. */
    StoredRun whole() {
        return new StoredRun(
                key, workflow, version, program, lastSequence(), lastHash(), Optional.empty(), List.copyOf(entries));
    }

    RunRow row() {
        return new RunRow(
                key,
                workflow,
                version,
                program,
                correlation,
                status,
                lastSequence(),
                lastHash(),
                startedAt,
                updatedAt,
                status.isFinal() ? Optional.of(updatedAt) : Optional.empty());
    }

    /** Whether there was one. */
    boolean forgetSnapshot() {
        boolean was = snapshot.isPresent();
        snapshot = Optional.empty();
        return was;
    }

    RunStatus status() {
        return status;
    }

    /** Damages a stored entry, which no port can do; for tests that must find it. */
    void corrupt(int entryIndex, int byteIndex) {
        byte[] bytes = entries.get(entryIndex).bytes();
        bytes[Math.floorMod(byteIndex, bytes.length)] ^= 0x01;
    }
}
