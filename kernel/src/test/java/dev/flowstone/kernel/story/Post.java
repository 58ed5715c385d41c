package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.MessageCodec;
import dev.flowstone.kernel.message.Outgoing;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs and aggregates that write to each other, with a post office between: per pair first in, first out; pairs in any
 * order; letters that come twice. After every decision I1, snapshots and I3 or I8 are checked.
 */
public final class Post {
    public static final TenantId ACME = new TenantId("acme");

    private final Map<RunId, Party> parties = new TreeMap<>();
    private final Map<Way, ArrayDeque<Outgoing>> ways = new TreeMap<>();
    private final Map<Way, Outgoing> last = new TreeMap<>();
    private final Map<Sha256, Program> programs = new HashMap<>();
    private final Map<WorkflowId, Program> published = new HashMap<>();
    private Bounds bounds = Bounds.DEFAULT;
    private Consumer<Party> watcher = party -> {};
    private Optional<Setting> birth = Optional.empty();
    private Instant now = Story.BIRTH;
    private int born;

    /** From one to another. */
    private record Way(RunId from, RunId to) implements Comparable<Way> {
        @Override
        public int compareTo(Way other) {
            int byFrom = from.compareTo(other.from);
            return byFrom != 0 ? byFrom : to.compareTo(other.to);
        }
    }

    public Post with(Bounds other) {
        bounds = other;
        return this;
    }

    /** Runs that begin from now on lie in a scope with this setting. */
    public Post bornUnder(Setting setting) {
        birth = Optional.of(setting);
        return this;
    }

    /** Looks at a party after each of its decisions. */
    public Post watching(Consumer<Party> other) {
        watcher = other;
        return this;
    }

    /** Calls of this workflow start this program. */
    public Post published(Program program) {
        published.put(program.workflow(), program);
        programs.put(ProgramCodec.hash(program), program);
        return this;
    }

    public Post later(Duration by) {
        now = now.plus(by);
        return this;
    }

    public Instant now() {
        return now;
    }

    public Party start(Programs program) {
        return start(program.build(), JsonObject.EMPTY);
    }

    public Party start(Program program, JsonValue trigger) {
        Sha256 hash = ProgramCodec.hash(program);
        programs.put(hash, program);
        RunId id = RunId.of(Story.BIRTH, new Slot(born % Slot.COUNT), 100 + born++);
        Party party = new Party(id, program, hash);
        parties.put(id, party);
        accepted(
                party,
                new Command.StartRun(ACME, id, 1, hash, Optional.empty(), Map.of("trigger", Payload.of(trigger))));
        return party;
    }

    /** Answers the open attempt of a node. */
    public void ok(Party party, String node, JsonValue output) {
        Attempt attempt = party.state.openAttempts().stream()
                .filter(open -> open.activation().node().value().equals(node))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no attempt of " + node + "\n" + party.tale()));
        accepted(
                party,
                new Command.CompleteTask(
                        attempt.activation(), attempt.attempt(), new TaskAnswer.Ok(Payload.of(output))));
    }

    public void ok(Party party, String node) {
        ok(party, node, new JsonString("ok"));
    }

    public void answer(Party party, String activation, TaskAnswer answer) {
        accepted(party, new Command.CompleteTask(dev.flowstone.kernel.id.ActivationId.parse(activation), 1, answer));
    }

    public void fire(Party party, String timer) {
        TimerState set = party.state.timers().stream()
                .filter(it -> it.timer().value().equals(timer))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no timer " + timer + "\n" + party.tale()));
        accepted(party, new Command.FireTimer(new TimerId(timer), set.generation()));
    }

    public Command.SendSignal send(String type, String key, String payload, Optional<String> dedupe) {
        return new Command.SendSignal(
                ACME,
                Aggregates.channel(ACME, type, key),
                type,
                key,
                Payload.of(new JsonString(payload)),
                dedupe,
                false,
                Duration.ofHours(1));
    }

    /** A signal from outside, to the channel of its type and key. */
    public Decision signal(String type, String key, String payload) {
        return decide(channel(type, key), send(type, key, payload, Optional.empty()));
    }

    public Party channel(String type, String key) {
        return aggregate(Aggregates.channel(ACME, type, key), Aggregates.Kind.CHANNEL);
    }

    public Party semaphore(String name) {
        return aggregate(Aggregates.semaphore(ACME, name), Aggregates.Kind.SEMAPHORE);
    }

    public Party link(String type, String key) {
        return aggregate(Aggregates.link(ACME, type, key), Aggregates.Kind.LINK);
    }

    private Party aggregate(RunId id, Aggregates.Kind kind) {
        return parties.computeIfAbsent(id, it -> new Party(it, kind.program(), kind.hash()));
    }

    public Party party(RunId id) {
        return Optional.ofNullable(parties.get(id)).orElseThrow(() -> new AssertionError("nobody is " + id));
    }

    public List<Party> parties() {
        return List.copyOf(parties.values());
    }

    public Decision.Accepted accepted(Party party, Command command) {
        Decision decision = decide(party, command);
        if (!(decision instanceof Decision.Accepted accepted)) {
            throw new AssertionError(command + " was not accepted: " + decision + "\n" + party.tale());
        }
        return accepted;
    }

    /** Decides with every fact it asks for; what is accepted is recorded and its letters are posted. */
    public Decision decide(Party party, Command command) {
        Map<Fact, JsonValue> facts = new HashMap<>();
        while (true) {
            Env env = new Env(new PathExpressions(), facts, JsonObject.EMPTY, bounds).bornUnder(birth);
            Decision decision = Kernel.decide(env, party.state, stamp(), command);
            switch (decision) {
                case Decision.Needs needs -> needs.facts().forEach(fact -> facts.put(fact, fact(fact)));
                case Decision.Accepted accepted -> {
                    record(party, accepted);
                    return decision;
                }
                case Decision.Rejected _ -> {
                    return decision;
                }
            }
        }
    }

    private JsonValue fact(Fact fact) {
        Fact.CalledProgram called = assertInstanceOf(Fact.CalledProgram.class, fact);
        Program program = published.get(called.workflow());
        return program == null
                ? JsonNull.NULL
                : JsonObject.builder()
                        .put("version", 1)
                        .put("program", ProgramCodec.hash(program).toString())
                        .build();
    }

    public Stamp stamp() {
        return new Stamp(
                now,
                Optional.empty(),
                1,
                new Actor("user", "ada"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "corr-1");
    }

    private void record(Party party, Decision.Accepted accepted) {
        RunState folded = party.state;
        if (accepted.entry().isPresent()) {
            JournalEntry entry = accepted.entry().get();
            try {
                List<Event> events =
                        JournalEntry.decode(entry.bytes(), party.state.lastSequence() + 1, party.state.lastHash());
                for (Event event : events) {
                    folded = folded.apply(event);
                    party.events.add(event);
                }
            } catch (CorruptEntryException e) {
                throw new AssertionError(e);
            }
            party.entries.add(entry);
        }
        party.state = accepted.state();
        party.last = accepted.events();
        Invariants.same(folded, party.state, () -> "I1\n" + party.tale());
        RunState restored = Kernel.restore(party.program, party.hash, party.state.toJson());
        Invariants.same(restored, party.state, () -> "snapshot");
        assertEquals(restored.weight(), party.state.weight(), "weight");
        if (!Aggregates.isAggregate(party.id)) {
            if (party.status().isFinal()) {
                Invariants.aFinalRunHoldsNothing(party.state);
            } else {
                Invariants.somethingCanWakeIt(party.state);
            }
        }
        accepted.messages().forEach(message -> post(party, message));
        watcher.accept(party);
    }

    private void post(Party from, Outgoing letter) {
        // Letters are stored between being sent and being delivered.
        Message read = MessageCodec.read(MessageCodec.write(letter.message()));
        assertEquals(letter.message(), read);
        ArrayDeque<Outgoing> way = ways.computeIfAbsent(new Way(from.id, letter.to()), key -> new ArrayDeque<>());
        Outgoing before = way.peekLast();
        assertTrue(before == null || before.number() < letter.number(), "numbers grow: " + letter);
        way.add(new Outgoing(letter.to(), letter.number(), read));
    }

    /** Delivers everything, and what that causes; pairs in the order of their names. */
    public Post deliver() {
        while (deliverOne(null)) {}
        return this;
    }

    /** Delivers everything but what goes to a party. */
    public Post deliverBut(RunId not) {
        while (true) {
            Optional<Way> next = ways.entrySet().stream()
                    .filter(way -> !way.getValue().isEmpty() && !way.getKey().to.equals(not))
                    .map(Map.Entry::getKey)
                    .findFirst();
            if (next.isEmpty()) {
                return this;
            }
            deliver(next.get());
        }
    }

    /** Delivers one letter of some pair, or one that has come already once more; false if there is none to be delivered. */
    public boolean deliverOne(@Nullable Random random) {
        List<Way> waiting = ways.entrySet().stream()
                .filter(way -> !way.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
        if (waiting.isEmpty()) {
            return false;
        }
        if (random != null && random.nextInt(5) == 0 && !last.isEmpty()) {
            List<Way> seen = List.copyOf(last.keySet());
            Way again = seen.get(random.nextInt(seen.size()));
            Outgoing letter = Optional.ofNullable(last.get(again)).orElseThrow();
            Decision.Accepted accepted = accepted(party(again.to), command(again, letter));
            assertEquals(List.of(), accepted.events(), "a letter that came before changes nothing");
            return true;
        }
        deliver(waiting.get(random == null ? 0 : random.nextInt(waiting.size())));
        return true;
    }

    private void deliver(Way way) {
        Outgoing letter = Optional.ofNullable(ways.get(way)).orElseThrow().remove();
        Party receiver = parties.computeIfAbsent(way.to, to -> newcomer(to, letter.message()));
        accepted(receiver, command(way, letter));
        last.put(way, letter);
    }

    private Party newcomer(RunId id, Message first) {
        Sha256 hash = Aggregates.programFor(first)
                .orElseThrow(() -> new AssertionError(first + " is for somebody who doesn't exist"));
        Program program = Aggregates.program(hash)
                .orElseGet(() -> Optional.ofNullable(programs.get(hash)).orElseThrow());
        return new Party(id, program, hash);
    }

    private static Command command(Way way, Outgoing letter) {
        return new Command.Deliver(ACME, way.to, way.from, letter.number(), letter.message());
    }
}
