package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A run's state over persistent maps: one more event costs O(log n) of time and memory, and leaves this state as it is.
 */
public final class PersistentRunState implements RunState {
    private final Draft frozen;

    PersistentRunState(Draft frozen) {
        this.frozen = frozen;
    }

    /** The state before a run's first event. */
    public static PersistentRunState initial(Programs programs, Program program, Sha256 programHash) {
        return new PersistentRunState(new Draft(programs, program, programHash));
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws IllegalArgumentException if it is no snapshot, or one of another program
     */
    public static PersistentRunState restore(
            Programs programs, Program program, Sha256 programHash, JsonObject snapshot) {
        return new PersistentRunState(SnapshotReader.read(programs, program, programHash, snapshot));
    }

    /** Programs by hash, for a run that changes to another one. */
    public Programs programs() {
        return frozen.programs;
    }

    /** What operators have done. */
    public Controls control() {
        return frozen.control;
    }

    /** A copy that a decision may add events to. */
    public Draft draft() {
        return new Draft(frozen);
    }

    @Override
    public RunState apply(Event event) {
        Draft next = draft();
        next.apply(event);
        return next.freeze();
    }

    @Override
    public JsonObject toJson() {
        return SnapshotWriter.write(frozen);
    }

    @Override
    public TenantId tenant() {
        return Objects.requireNonNull(frozen.tenant, "the run has not been started");
    }

    @Override
    public RunId run() {
        return Objects.requireNonNull(frozen.run, "the run has not been started");
    }

    @Override
    public int version() {
        return frozen.version;
    }

    @Override
    public Program program() {
        return frozen.program;
    }

    @Override
    public Sha256 programHash() {
        return frozen.programHash;
    }

    @Override
    public RunStatus status() {
        return frozen.status;
    }

    @Override
    public long lastSequence() {
        return frozen.lastSequence;
    }

    @Override
    public Sha256 lastHash() {
        return frozen.lastHash;
    }

    @Override
    public Instant lastEventTime() {
        return frozen.lastEventTime;
    }

    @Override
    public String correlation() {
        return frozen.correlation;
    }

    @Override
    public List<Attempt> openAttempts() {
        return frozen.attempts.values();
    }

    @Override
    public Optional<Attempt> openAttempt(ActivationId activation) {
        return Optional.ofNullable(frozen.attempts.get(activation));
    }

    @Override
    public boolean hasOpenAttempts() {
        return !frozen.attempts.isEmpty();
    }

    @Override
    public List<TimerState> timers() {
        return frozen.timers.values();
    }

    @Override
    public boolean continues() {
        return frozen.hasWork();
    }

    @Override
    public Optional<Payload> output() {
        return Optional.ofNullable(frozen.output);
    }

    @Override
    public long weight() {
        return frozen.weight;
    }

    @Override
    public Hold hold() {
        return frozen.control.hold();
    }

    @Override
    public Optional<Suspension> suspension() {
        return Optional.ofNullable(frozen.control.suspension());
    }

    @Override
    public List<Incident> incidents() {
        return frozen.incidents.values();
    }

    @Override
    public int buffered() {
        return frozen.control.buffer().size();
    }

    @Override
    public List<Attestation> attestations() {
        return frozen.undoing.attestations().values();
    }
}
