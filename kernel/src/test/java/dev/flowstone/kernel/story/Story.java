package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run, moved command by command. Unless it is told not to, it checks the invariants after each of them. */
public final class Story {
    public static final Instant BIRTH = Instant.parse("2026-11-27T12:00:00Z");

    private final Program program;
    private final Sha256 hash;
    private final Map<Sha256, Program> known = new HashMap<>();
    private final List<Event> events = new ArrayList<>();
    private final List<JournalEntry> entries = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();
    private final boolean checked;
    private Env env;
    private RunState state;
    private Instant now = BIRTH;
    private long random = 1;
    private Actor actor = new Actor("user", "ada");
    private List<EventBody> last = List.of();

    private Story(Program program, Env env, boolean checked) {
        this.program = program;
        this.hash = ProgramCodec.hash(program);
        this.env = env;
        this.checked = checked;
        known.put(hash, program);
        this.state = Kernel.initial(programs(), program, hash);
    }

    public static Story of(Programs program) {
        return of(program.build());
    }

    public static Story of(Program program) {
        return new Story(program, env(Bounds.DEFAULT), true);
    }

    /** For long runs: without looking at the whole state after each step. */
    public static Story unchecked(Program program, Bounds bounds) {
        return new Story(program, env(bounds), false);
    }

    /** The program store that runs look other programs up in. */
    public dev.flowstone.kernel.program.Programs programs() {
        return hash -> Optional.ofNullable(known.get(hash));
    }

    /** Another program that the run may change to; its hash. */
    public Sha256 knowing(Program other) {
        Sha256 its = ProgramCodec.hash(other);
        known.put(its, other);
        return its;
    }

    /** All programs that it knows but for the one it began with. */
    List<Program> others() {
        return known.values().stream().filter(other -> other != program).toList();
    }

    RunState restore(JsonObject snapshot) {
        return Kernel.restore(programs(), state.program(), state.programHash(), snapshot);
    }

    public static Env env(Bounds bounds) {
        return new Env(new PathExpressions(), new DailySchedules(), Map.of(), JsonObject.EMPTY, bounds);
    }

    public Story with(Bounds bounds) {
        env = env(bounds);
        return this;
    }

    public Story with(Env other) {
        env = other;
        return this;
    }

    public Env env() {
        return env;
    }

    public Story random(long seed) {
        random = seed;
        return this;
    }

    /** Who sends what follows. */
    public Story by(String user) {
        actor = new Actor("user", user);
        return this;
    }

    public Story later(Duration by) {
        now = now.plus(by);
        return this;
    }

    /** Goes on from a snapshot of itself. */
    public Story restored() {
        state = restore(state.toJson());
        return this;
    }

    public Story start() {
        return start(Map.of("trigger", Payload.of(JsonObject.EMPTY)));
    }

    public Story start(Map<String, Payload> input) {
        return accepted(startCommand(input));
    }

    public Command.StartRun startCommand(Map<String, Payload> input) {
        RunId run = RunId.of(BIRTH, new Slot(7), 42);
        return new Command.StartRun(new TenantId("acme"), run, 3, hash, Optional.of("request-1"), input);
    }

    public Story ok(String node) {
        return ok(node, JsonObject.builder().put("from", node).build());
    }

    public Story ok(String node, JsonValue output) {
        return answer(node, new TaskAnswer.Ok(Payload.of(output)));
    }

    public Story ok(String node, long output) {
        return ok(node, JsonNumber.of(output));
    }

    public Story fail(String node) {
        return answer(node, failed(FailureClass.RETRYABLE));
    }

    public Story failForGood(String node) {
        return answer(node, failed(FailureClass.PERMANENT));
    }

    public static TaskAnswer failed(FailureClass failure) {
        return new TaskAnswer.Failed(failure, TaskError.of("BROKEN", "it broke"), Optional.empty());
    }

    /** Answers the open attempt of {@code node}, its newest visit, or of {@code node#visit}. */
    public Story answer(String activation, TaskAnswer answer) {
        return accepted(new Command.CompleteTask(id(activation), attempt(activation), answer));
    }

    public Story fire(String timer, int generation) {
        return accepted(new Command.FireTimer(new TimerId(timer), generation));
    }

    /** Goes on until no work list is left. */
    public Story goOn() {
        while (state.continues()) {
            accepted(new Command.ContinueRun());
        }
        return this;
    }

    public Story accepted(Command command) {
        Decision decision = decide(command);
        if (!(decision instanceof Decision.Accepted)) {
            throw new AssertionError(command + " was not accepted: " + decision + "\n" + tale());
        }
        return this;
    }

    /** It is accepted and changes nothing. */
    public Story ignored(Command command) {
        RunState before = state;
        Decision.Accepted accepted = assertInstanceOf(Decision.Accepted.class, decide(command));
        assertEquals(List.of(), accepted.events());
        assertEquals(Optional.empty(), accepted.entry());
        assertEquals(before.toJson(), state.toJson());
        return this;
    }

    public Story rejected(RejectionCode code, Command command) {
        RunState before = state;
        Decision.Rejected rejected = assertInstanceOf(Decision.Rejected.class, decide(command));
        assertEquals(code, rejected.code(), rejected.reason());
        assertEquals(before.toJson(), state.toJson());
        return this;
    }

    public Decision decide(Command command) {
        Sent step = new Sent(env, stamp(), command);
        sent.add(step);
        Decision decision = step.decide(state);
        random = random * 6364136223846793005L + 1442695040888963407L;
        if (decision instanceof Decision.Accepted accepted) {
            last = accepted.events();
            accepted.entry().ifPresent(this::record);
            RunState before = state;
            state = accepted.state();
            if (checked) {
                Invariants.check(this, before, accepted);
            }
        }
        return decision;
    }

    private void record(JournalEntry entry) {
        Sha256 previous = events.isEmpty() ? Sha256.ZERO : events.getLast().hash();
        try {
            events.addAll(JournalEntry.decode(entry.bytes(), events.size() + 1L, previous));
        } catch (CorruptEntryException e) {
            throw new AssertionError(e);
        }
        entries.add(entry);
    }

    public Stamp stamp() {
        return new Stamp(
                now, Optional.empty(), random, actor, Optional.empty(), Optional.empty(), Optional.empty(), "corr-1");
    }

    public ActivationId id(String activation) {
        if (activation.indexOf('#') > 0) {
            return ActivationId.parse(activation);
        }
        return state.openAttempts().stream()
                .map(attempt -> attempt.activation())
                .filter(id -> id.node().value().equals(activation))
                .reduce((first, second) -> second)
                .orElseThrow(() -> new AssertionError("no attempt of " + activation + " is open\n" + tale()));
    }

    private int attempt(String activation) {
        ActivationId id = id(activation);
        return state.openAttempts().stream()
                .filter(attempt -> attempt.activation().equals(id))
                .map(attempt -> attempt.attempt())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no attempt of " + activation + " is open\n" + tale()));
    }

    /** A command as it was decided, and by what. */
    record Sent(Env env, Stamp stamp, Command command) {
        Decision decide(RunState state) {
            return Kernel.decide(env, state, stamp, command);
        }
    }

    /** All commands, in order, the refused ones too. */
    List<Sent> sent() {
        return sent;
    }

    /** The events of the last accepted command. */
    public List<EventBody> last() {
        return last;
    }

    /** Their kinds. */
    public List<String> lastKinds() {
        return last.stream().map(EventBody::kind).toList();
    }

    public List<Event> events() {
        return events;
    }

    public List<JournalEntry> entries() {
        return entries;
    }

    public <T extends EventBody> List<T> all(Class<T> kind) {
        return events.stream()
                .map(Event::body)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** The nodes whose attempts are open, by name. */
    public List<String> open() {
        return state.openAttempts().stream()
                .map(attempt -> attempt.activation().node().value())
                .toList();
    }

    public RunState state() {
        return state;
    }

    public RunStatus status() {
        return state.status();
    }

    public Program program() {
        return program;
    }

    public Sha256 programHash() {
        return hash;
    }

    public JsonValue output() {
        return state.output()
                .map(payload -> ((Payload.Inline) payload).value())
                .orElseThrow(() -> new AssertionError("no output\n" + tale()));
    }

    /** Everything that happened, one event a line. */
    public String tale() {
        StringBuilder out = new StringBuilder();
        for (Event event : events) {
            out.append(event.sequence()).append(' ').append(event.body()).append('\n');
        }
        return out.toString();
    }
}
