package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Outgoing;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.RunState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run's part in a batch: its commands, decided one after another on the folded state, and what follows from them. */
final class Turn implements SettledRun {
    final RunKey key;
    final List<Verdict> verdicts = new ArrayList<>(1);
    final ArrayDeque<Work> waiting = new ArrayDeque<>(2);
    final List<JournalEntry> entries = new ArrayList<>(1);
    final List<Receipt> receipts = new ArrayList<>(1);
    final List<StoredPayload> payloads = new ArrayList<>(0);
    final List<InboxKey> consumed = new ArrayList<>(0);
    final List<Letter> letters = new ArrayList<>(0);
    final TurnPosts posts = new TurnPosts();
    final Set<ActivationId> scheduled = new LinkedHashSet<>(2);
    final Set<ActivationId> canceled = new LinkedHashSet<>(0);

    /** Human tasks that something happened to. */
    final Set<ActivationId> asked = new LinkedHashSet<>(0);

    /** Timers by what became of them in this turn; gone ones without a due time. */
    final Map<TimerId, TimerFate> timers = new LinkedHashMap<>(2);

    private Map<Fact, JsonValue> facts = Map.of();
    private int asks;
    private boolean heeded;
    private List<EventBody> settings = List.of();
    private @Nullable CachedRun base;
    private @Nullable RunState state;

    @Nullable
    RunMove move;

    Turn(RunKey key) {
        this.key = requireNonNull(key);
    }

    /** What became of one command. */
    record Verdict(Work work, Result result) implements SettledCommand {
        @Override
        public Instant enqueuedAt() {
            return work.enqueuedAt;
        }

        @Override
        public Fate fate() {
            return switch (result) {
                case Result.Accepted accepted ->
                    accepted.buffered() ? Fate.BUFFERED : accepted.events().isEmpty() ? Fate.REPEATED : Fate.ACCEPTED;
                case Result.Rejected _ -> Fate.REJECTED;
                case Result.Met _ -> Fate.REPEATED;
                case Result.Broken _ -> Fate.BROKEN;
            };
        }

        @Override
        public List<EventBody> events() {
            return result instanceof Result.Accepted accepted ? accepted.events() : List.of();
        }
    }

    /** The sorts of verdicts. */
    sealed interface Result {
        /**
         * Its events are part of the move, or it repeats what was accepted before; buffered, it is decided when its run
         * is resumed.
         */
        record Accepted(List<EventBody> events, boolean buffered) implements Result {}

        /** Refused on the state that it was decided on. */
        record Rejected(String code, String reason) implements Result {}

        /** A request that met the receipt of one under the same key. */
        record Met(Receipt receipt) implements Result {}

        /** The command can't be decided at all: a bug, or a fact that is gone. */
        record Broken(String reason) implements Result {}
    }

    /** A timer that was set, or is gone. */
    record TimerFate(int generation, Optional<Instant> dueAt) {}

    boolean isAlone() {
        return !waiting.isEmpty() && waiting.peek().alone;
    }

    void begin(CachedRun from) {
        this.base = from;
        this.state = from.state();
    }

    boolean hasState() {
        return state != null;
    }

    CachedRun base() {
        return requireNonNull(base, "the turn has no state");
    }

    RunState state() {
        return requireNonNull(state, "the turn has no state");
    }

    Map<Fact, JsonValue> facts() {
        return facts;
    }

    void learn(Fact fact, JsonValue value) {
        if (facts.isEmpty()) {
            facts = new HashMap<>();
        }
        facts.put(fact, value);
    }

    /** Counts how often the first command that waits has asked for facts. */
    int ask() {
        return ++asks;
    }

    /** Takes the first command that waits. */
    Work next() {
        asks = 0;
        return waiting.remove();
    }

    /** Takes all commands that wait out of the turn; their messages aren't consumed by it. */
    List<Work> leave() {
        List<Work> left = List.copyOf(waiting);
        waiting.clear();
        asks = 0;
        for (Work work : left) {
            if (work instanceof CommandWork command) {
                command.origin.inbox().ifPresent(consumed::remove);
            }
        }
        return left;
    }

    /** A payload that comes with this turn and so isn't in the store yet. */
    @Nullable
    StoredPayload carried(Sha256 hash) {
        for (StoredPayload payload : payloads) {
            if (payload.hash().equals(hash)) {
                return payload;
            }
        }
        for (Work work : waiting) {
            for (StoredPayload payload : work.payloads()) {
                if (payload.hash().equals(hash)) {
                    return payload;
                }
            }
        }
        return null;
    }

    /** The run has recorded what was set for a scope that it lies in. */
    void heed(Decision.Accepted accepted) {
        asks = 0;
        heeded = true;
        settings = accepted.events();
        take(accepted);
    }

    /** Whether this turn has recorded settings. */
    boolean hasHeeded() {
        return heeded;
    }

    @Override
    public RunKey run() {
        return key;
    }

    @Override
    public boolean hasMoved() {
        return move != null;
    }

    @Override
    public RunState before() {
        return base().state();
    }

    @Override
    public RunState after() {
        return state();
    }

    @Override
    public List<Verdict> commands() {
        return verdicts;
    }

    @Override
    public List<EventBody> heeded() {
        return settings;
    }

    void accept(Work work, Decision.Accepted accepted) {
        verdicts.add(new Verdict(work, new Result.Accepted(accepted.events(), accepted.buffered())));
        if (accepted.entry().isPresent()) {
            work.payloads().forEach(this::store);
        }
        take(accepted);
    }

    private void take(Decision.Accepted accepted) {
        if (accepted.entry().isPresent()) {
            entries.add(accepted.entry().get());
            accepted.aside().forEach(content -> store(StoredPayload.of(content)));
            accepted.events().forEach(this::follow);
        }
        if (accepted.events().stream().anyMatch(Turn::movesTimers)) {
            Stream.of(state(), accepted.state())
                    .flatMap(known -> known.humanTasks().stream())
                    .filter(open -> !open.due().isEmpty())
                    .forEach(open -> asked.add(open.task().activation()));
        }
        state = accepted.state();
        for (Outgoing outgoing : accepted.messages()) {
            letters.add(Letters.of(key, state.correlation(), state.lastEventTime(), outgoing));
        }
    }

    /** A suspension or its end: lists show when something happens to a task by itself, and when that is has changed. */
    private static boolean movesTimers(EventBody event) {
        return event instanceof ControlEvent.RunSuspended
                || event instanceof ControlEvent.TimerFrozen
                || event instanceof ControlEvent.RunResumed
                || event instanceof ControlEvent.HoldImposed
                || event instanceof ControlEvent.HoldLifted
                || event instanceof ControlEvent.HoldWaived;
    }

    /** Once: retries that render alike and equal results set aside the same content again. */
    private void store(StoredPayload payload) {
        if (payloads.stream().noneMatch(known -> known.hash().equals(payload.hash()))) {
            payloads.add(payload);
        }
    }

    private void follow(EventBody event) {
        switch (event) {
            case EventBody.TaskScheduled task -> scheduled.add(task.activation());
            case EventBody.TaskHandedOut task -> scheduled.add(task.activation());
            case EventBody.TaskReturned task -> scheduled.add(task.activation());
            case EventBody.ActivationCanceled activation -> {
                canceled.add(activation.activation());
                if (state().program().node(activation.activation().node()) instanceof Node.HumanTask) {
                    asked.add(activation.activation());
                }
            }
            case HumanEvent human -> HumanTasks.of(human).ifPresent(asked::add);
            case EventBody.TimerSet set ->
                timers.put(set.timer(), new TimerFate(set.generation(), Optional.of(set.dueAt())));
            case EventBody.TimerFired fired ->
                timers.put(fired.timer(), new TimerFate(fired.generation(), Optional.empty()));
            case EventBody.TimerCanceled canceled ->
                timers.put(canceled.timer(), new TimerFate(canceled.generation(), Optional.empty()));
            default -> {}
        }
    }

    void conclude(Work work, Result result) {
        verdicts.add(new Verdict(work, result));
    }

    /** Its first command that waits can't be decided. A message that brought it isn't consumed: it is not taken up. */
    void breakOff(String reason) {
        Work work = next();
        if (work instanceof CommandWork command) {
            command.origin.inbox().ifPresent(consumed::remove);
        }
        conclude(work, new Result.Broken(reason));
    }

    /** Every command of the turn, decided or not, in order. */
    List<Work> works() {
        List<Work> works = new ArrayList<>(verdicts.size() + waiting.size());
        verdicts.forEach(verdict -> works.add(verdict.work()));
        works.addAll(waiting);
        return works;
    }
}
