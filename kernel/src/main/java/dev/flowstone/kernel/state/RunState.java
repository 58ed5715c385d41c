package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

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

    /**
     * Open attempts but for those whose answer, or whose being handed out again, was buffered while the run is suspended:
     * these are neither lost nor to be handed out by whoever takes the run over. Costs time linear in the buffer.
     */
    default List<Attempt> unansweredAttempts() {
        return openAttempts();
    }

    /** What people are asked, by activation. */
    default List<OpenHumanTask> humanTasks() {
        return List.of();
    }

    /** The open human task of an activation, without a scan. */
    default Optional<OpenHumanTask> humanTask(ActivationId activation) {
        return Optional.empty();
    }

    /** What people are to say about things that can't be undone, by id; may outlive the run. */
    default List<Attestation> attestations() {
        return List.of();
    }

    /** The version of its subject that the run knows; empty while it is not bound to one. */
    default Optional<Long> subjectVersion() {
        return Optional.empty();
    }

    /** What the run was bound to at its start, with the version that it began with. */
    default Optional<SubjectBinding> subject() {
        return Optional.empty();
    }

    /** The nodes where the run goes on sooner or later; cost linear in what is alive. */
    default Set<NodeId> aliveAt() {
        return Set.of();
    }

    /** The nodes at which paths of the run have ended well. */
    default Collection<NodeId> endedAt() {
        return List.of();
    }

    /** The run's variables, by name. */
    default JsonObject variables() {
        return JsonObject.EMPTY;
    }

    /** Timers that are set, by id. */
    List<TimerState> timers();

    /** Children that haven't ended, as far as is known, by the call that started them. */
    default List<OpenChild> children() {
        return List.of();
    }

    /** What activations wait for signals and permits, by activation. */
    default List<OpenAwait> awaits() {
        return List.of();
    }

    /** Permits that are held, by the await that got them. */
    default List<HeldPermit> permits() {
        return List.of();
    }

    /** Number of the last message that was heard of a sender; 0 if none is known (R21). */
    default long heard(RunId sender) {
        return 0;
    }

    /** Whose child this is; empty if nobody called it. */
    default Optional<Parentage> parentage() {
        return Optional.empty();
    }

    /** Whether a work list waits for a {@code ContinueRun}. */
    boolean continues();

    /** Of a run that has succeeded. */
    Optional<Payload> output();

    /** About how many bytes of heap this state holds, for the bound of the cache. */
    long weight();

    /** Bytes of what expressions may read: the input and the nodes' newest results. */
    long contextBytes();

    /** The newest result of each node that has one, as it is kept: see {@link ChildResult#seen} and {@link Omitted}. */
    default SortedMap<NodeId, Payload> results() {
        return Collections.emptySortedMap();
    }

    /** Of how many bytes those results were that are left out, for which a mark stands. */
    default SortedMap<NodeId, Long> omitted() {
        return Collections.emptySortedMap();
    }

    /** Whether the run is held, whatever its status (R25). */
    default Hold hold() {
        return Hold.NONE;
    }

    /** Why and how it is held; empty if it isn't. */
    default Optional<Suspension> suspension() {
        return Optional.empty();
    }

    /** Number of the newest setting of a scope that the run has recorded (R25); 0 if it never recorded any. */
    default long heeded() {
        return 0;
    }

    /** Whether settings of scopes concern it: not an aggregate, nor a run that is over, or canceled, or terminated. */
    default boolean heeds() {
        return false;
    }

    /** What waits for a person's decision, the oldest first. */
    default List<Incident> incidents() {
        return List.of();
    }

    /** How many inputs were accepted while it was suspended and are not decided yet. */
    default int buffered() {
        return 0;
    }

    /**
     * The state after one more event; pure, and total but for one thing: an event after which the run follows a program
     * that nobody knows here is an {@link UnknownProgramException}.
     */
    RunState apply(Event event);

    /** Canonical form, for snapshots and golden files. */
    JsonObject toJson();
}
