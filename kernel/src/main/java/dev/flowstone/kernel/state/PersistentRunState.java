package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import dev.flowstone.kernel.program.Reminder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A run's state over persistent maps: one more event costs O(log n) of time and memory, and leaves this state as it is.
 */
public final class PersistentRunState implements RunState {
    /** The member of a stored state that says how much of the events it accounts for. */
    private static final String WHOLE = "accountsFor";

    /** Raised whenever the fold remembers more of events than before: 2 since former names and late effects are. */
    private static final long EVERYTHING = 2;

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

    /** What {@link #toJson} gives, marked as whole. */
    public JsonObject snapshot() {
        JsonObject.Builder out = JsonObject.builder();
        toJson().members().forEach(out::put);
        return out.put(WHOLE, EVERYTHING).build();
    }

    /** Whether it says all that this release asks of a run's events. */
    public static boolean isWhole(JsonObject snapshot) {
        return snapshot.get(WHOLE) instanceof JsonNumber known && known.equals(JsonNumber.of(EVERYTHING));
    }

    /** Programs by hash, for a run that changes to another one. */
    public Programs programs() {
        return frozen.programs;
    }

    /** What operators have done. */
    public Controls control() {
        return frozen.control;
    }

    /** Whether what people decided waits for a gate to use it. */
    public boolean hasVerdicts() {
        return !frozen.people.verdicts.isEmpty();
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
    public List<Attempt> unansweredAttempts() {
        return BufferedAnswers.without(openAttempts(), frozen.control.buffer());
    }

    @Override
    public List<OpenHumanTask> humanTasks() {
        return frozen.people.humanTasks.values().stream().map(this::open).toList();
    }

    @Override
    public Optional<OpenHumanTask> humanTask(ActivationId activation) {
        return Optional.ofNullable(frozen.people.humanTasks.get(activation)).map(this::open);
    }

    private OpenHumanTask open(HumanTaskState task) {
        List<TimerState> due = new ArrayList<>();
        if (frozen.program.node(task.activation().node()) instanceof Node.HumanTask node) {
            for (Reminder reminder : node.reminders()) {
                TimerState timer = frozen.timers.get(new TimerId(task.activation() + "/" + reminder.name()));
                if (timer != null) {
                    due.add(timer);
                }
            }
        }
        return new OpenHumanTask(task, due);
    }

    @Override
    public List<Attestation> attestations() {
        return frozen.people.attestations.values();
    }

    @Override
    public Optional<SubjectBinding> subject() {
        return frozen.data().subject();
    }

    @Override
    public Set<NodeId> aliveAt() {
        return frozen.aliveAt();
    }

    @Override
    public Collection<NodeId> endedAt() {
        return frozen.terminals.values();
    }

    @Override
    public Optional<Long> subjectVersion() {
        return frozen.data().subjectVersion();
    }

    @Override
    public JsonObject variables() {
        return frozen.data().variables();
    }

    @Override
    public List<TimerState> timers() {
        return frozen.timers.values();
    }

    @Override
    public List<OpenChild> children() {
        return frozen.post.children.values();
    }

    @Override
    public List<OpenAwait> awaits() {
        return frozen.post.awaits.values();
    }

    @Override
    public List<HeldPermit> permits() {
        return frozen.post.permits.values();
    }

    @Override
    public long heard(RunId sender) {
        return frozen.post.heard.last(sender);
    }

    @Override
    public Optional<Parentage> parentage() {
        return frozen.post().parentage();
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
        int others = frozen.post.heard.size()
                + frozen.post.awaits.size()
                + frozen.post.permits.size()
                + frozen.post.children.size()
                + frozen.ticks.size();
        return frozen.weight + Weight.OTHER * others;
    }

    @Override
    public long contextBytes() {
        return frozen.contextBytes;
    }

    @Override
    public SortedMap<NodeId, Payload> results() {
        SortedMap<NodeId, Payload> results = new TreeMap<>();
        frozen.nodes.forEach((number, node) -> {
            if (node.result() != null) {
                results.put(frozen.topology.place((int) number).node().id(), node.result());
            }
        });
        return results;
    }

    @Override
    public SortedMap<NodeId, Long> omitted() {
        SortedMap<NodeId, Long> omitted = new TreeMap<>();
        frozen.nodes.forEach((number, node) -> node.omittedBytes()
                .ifPresent(bytes ->
                        omitted.put(frozen.topology.place((int) number).node().id(), bytes)));
        return omitted;
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
    public long heeded() {
        return frozen.control.wide().number();
    }

    @Override
    public boolean heeds() {
        return frozen.heeds();
    }

    @Override
    public List<Incident> incidents() {
        return frozen.incidents.values();
    }

    @Override
    public int buffered() {
        return frozen.control.buffer().size();
    }
}
