package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything that decisions about one run depend on: {@code fold(apply, events)}. What follows is what the engine may
 * ask of it.
 */
public interface RunState {
    TenantId tenant();

    RunId run();

    /** Version of the workflow that the run follows. */
    int version();

    Program program();

    Sha256 programHash();

    RunStatus status();

    /** Number of the last event; 0 before the first. */
    long lastSequence();

    Sha256 lastHash();

    Instant lastEventTime();

    String correlation();

    /** Attempts without an answer, by activation. */
    List<Attempt> openAttempts();

    /** The open attempt of an activation. Asked once for each attempt that is handed out: answer it without a scan. */
    default Optional<Attempt> openAttempt(ActivationId activation) {
        return openAttempts().stream()
                .filter(attempt -> attempt.activation().equals(activation))
                .findFirst();
    }

    /** Whether any attempt is open. Asked at every commit: answer it without a scan. */
    default boolean hasOpenAttempts() {
        return !openAttempts().isEmpty();
    }

    /** Timers that are set, by id. */
    List<TimerState> timers();

    /** Whether a work list waits for a {@code ContinueRun}. */
    boolean continues();

    /** Of a run that has succeeded. */
    Optional<Payload> output();

    /** About how many bytes of heap this state holds, for the bound of the cache. */
    long weight();

    /** Whether the run is held, whatever its status (R25). */
    Hold hold();

    /** Why and how it is held; empty if it isn't. */
    Optional<Suspension> suspension();

    /** What waits for a person's decision, the oldest first. */
    List<Incident> incidents();

    /** How many inputs were accepted while it was suspended and are not decided yet. */
    int buffered();

    /** What people are asked to attest (R24). */
    List<Attestation> attestations();

    /**
     * The state after one more event; pure, and total but for one thing: an event after which the run follows a program
     * that nobody knows here is an {@link UnknownProgramException}.
     */
    RunState apply(Event event);

    /** Canonical form, for snapshots and golden files. */
    JsonObject toJson();
}
