package dev.flowstone.engine.stuck;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.Attestation;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.HumanTaskState;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.kernel.state.OpenAwait;
import dev.flowstone.kernel.state.OpenChild;
import dev.flowstone.kernel.state.OpenHumanTask;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.state.TimerState;
import dev.flowstone.kernel.state.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A run that waits for what the test says, and for nothing else; written down, since no kernel would come there. */
final class FakeState implements RunState {
    static final RunId RUN = RunId.of(Instant.parse("2026-11-29T12:00:00Z"), new Slot(7), 1);
    static final ActivationId A = ActivationId.parse("a#1");
    private static final RunId OTHER = RunId.of(Instant.parse("2026-11-29T12:00:00Z"), new Slot(7), 2);

    private final List<Attempt> attempts = new ArrayList<>();
    private final List<TimerState> timers = new ArrayList<>();
    private final List<OpenHumanTask> tasks = new ArrayList<>();
    private final List<OpenAwait> awaits = new ArrayList<>();
    private final List<OpenChild> children = new ArrayList<>();
    private final List<Incident> incidents = new ArrayList<>();
    private final List<Attestation> attestations = new ArrayList<>();
    private RunStatus status = RunStatus.RUNNING;
    private Hold hold = Hold.NONE;
    private boolean continues;

    FakeState status(RunStatus now) {
        status = now;
        return this;
    }

    FakeState attempt(Duration timeout) {
        attempts.add(new Attempt(
                A, 1, new HandlerName("orders.charge"), Payload.of(JsonNull.NULL), timeout, Sha256.ZERO, false));
        return this;
    }

    FakeState continuation() {
        continues = true;
        return this;
    }

    FakeState timer() {
        timers.add(new TimerState(new TimerId("a#1"), 1, Instant.EPOCH, EventBody.TimerPurpose.WAIT, Optional.of(A)));
        return this;
    }

    FakeState humanTask() {
        tasks.add(new OpenHumanTask(
                new HumanTaskState(A, Instant.EPOCH, Payload.of(JsonNull.NULL), List.of(), null, 0, List.of()),
                List.of()));
        return this;
    }

    FakeState await(boolean permit) {
        awaits.add(new OpenAwait(A, OTHER, permit, "paid"));
        return this;
    }

    FakeState child(boolean awaited) {
        children.add(new OpenChild(A, OTHER, new WorkflowId("child"), awaited, false, ChildPolicies.CASCADE));
        return this;
    }

    FakeState incident() {
        incidents.add(new Incident(3, "NO_WAY_OUT", A, "no way out", new WorkItem.Route(0, A)));
        return this;
    }

    FakeState attestation() {
        attestations.add(new Attestation("undo-1", Optional.of(A), "a refund failed"));
        return this;
    }

    FakeState suspended() {
        hold = Hold.SUSPENDED;
        return this;
    }

    @Override
    public TenantId tenant() {
        return new TenantId("acme");
    }

    @Override
    public RunId run() {
        return RUN;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Program program() {
        throw new UnsupportedOperationException("nobody asks for it here");
    }

    @Override
    public Sha256 programHash() {
        return Sha256.ZERO;
    }

    @Override
    public RunStatus status() {
        return status;
    }

    @Override
    public long lastSequence() {
        return 5;
    }

    @Override
    public Sha256 lastHash() {
        return Sha256.ZERO;
    }

    @Override
    public Instant lastEventTime() {
        return Instant.EPOCH;
    }

    @Override
    public String correlation() {
        return "c";
    }

    @Override
    public List<Attempt> openAttempts() {
        return attempts;
    }

    @Override
    public List<OpenHumanTask> humanTasks() {
        return tasks;
    }

    @Override
    public List<Attestation> attestations() {
        return attestations;
    }

    @Override
    public List<TimerState> timers() {
        return timers;
    }

    @Override
    public List<OpenChild> children() {
        return children;
    }

    @Override
    public List<OpenAwait> awaits() {
        return awaits;
    }

    @Override
    public boolean continues() {
        return continues;
    }

    @Override
    public Optional<Payload> output() {
        return Optional.empty();
    }

    @Override
    public long weight() {
        return 0;
    }

    @Override
    public long contextBytes() {
        return 0;
    }

    @Override
    public Hold hold() {
        return hold;
    }

    @Override
    public List<Incident> incidents() {
        return incidents;
    }

    @Override
    public RunState apply(Event event) {
        throw new UnsupportedOperationException("nothing happens to it");
    }

    @Override
    public JsonObject toJson() {
        return JsonObject.EMPTY;
    }
}
