package dev.flowstone.kernel.aggregate;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.Heard;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.state.TimerState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An aggregate's state: the fold of its events. Immutable; it never ends, and nothing of it is worked on by handlers. */
public abstract sealed class AggregateState implements RunState permits ChannelState, SemaphoreState, LinkState {
    private static final long WEIGHT = 1_000;
    private static final long SENDER = 200;

    private final Trunk trunk;

    AggregateState(Trunk trunk) {
        this.trunk = trunk;
    }

    static AggregateState initial(Aggregates.Kind kind) {
        Trunk trunk = Trunk.initial(kind);
        return switch (kind) {
            case CHANNEL -> ChannelState.initial(trunk);
            case SEMAPHORE -> SemaphoreState.initial(trunk);
            case LINK -> new LinkState(trunk, null);
        };
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws IllegalArgumentException if it is no snapshot, or one of another program
     */
    public static AggregateState restore(Aggregates.Kind kind, JsonObject snapshot) {
        return switch (kind) {
            case CHANNEL -> ChannelState.restore(snapshot);
            case SEMAPHORE -> SemaphoreState.restore(snapshot);
            case LINK -> LinkState.restore(snapshot);
        };
    }

    Trunk trunk() {
        return trunk;
    }

    public Aggregates.Kind kind() {
        return trunk.kind();
    }

    public Heard heard() {
        return trunk.heard();
    }

    @Override
    public long heard(RunId sender) {
        return trunk.heard().last(sender);
    }

    /** Null if it isn't set. */
    public @Nullable TimerState timer(TimerId id) {
        return trunk.timers().get(id);
    }

    /** An aggregate has no context: nothing of it is an expression's to read. */
    @Override
    public long contextBytes() {
        return 0;
    }

    @Override
    public abstract AggregateState apply(Event event);

    @Override
    public TenantId tenant() {
        return Objects.requireNonNull(trunk.tenant(), "nothing has happened here yet");
    }

    @Override
    public RunId run() {
        return Objects.requireNonNull(trunk.id(), "nothing has happened here yet");
    }

    @Override
    public int version() {
        return Aggregates.VERSION;
    }

    @Override
    public Program program() {
        return trunk.kind().program();
    }

    @Override
    public Sha256 programHash() {
        return trunk.kind().hash();
    }

    @Override
    public RunStatus status() {
        return RunStatus.RUNNING;
    }

    @Override
    public long lastSequence() {
        return trunk.lastSequence();
    }

    @Override
    public Sha256 lastHash() {
        return trunk.lastHash();
    }

    @Override
    public Instant lastEventTime() {
        return trunk.lastEventTime();
    }

    @Override
    public String correlation() {
        return trunk.correlation();
    }

    @Override
    public List<Attempt> openAttempts() {
        return List.of();
    }

    @Override
    public boolean hasOpenAttempts() {
        return false;
    }

    @Override
    public List<TimerState> timers() {
        return trunk.timers().values();
    }

    @Override
    public Optional<Payload> output() {
        return Optional.empty();
    }

    @Override
    public long weight() {
        return WEIGHT + SENDER * (trunk.heard().size() + trunk.timers().size()) + contentWeight();
    }

    abstract long contentWeight();
}
