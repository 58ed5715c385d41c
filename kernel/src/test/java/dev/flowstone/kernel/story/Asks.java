package dev.flowstone.kernel.story;

import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.state.Assignee;
import dev.flowstone.kernel.state.HumanTaskState;
import dev.flowstone.kernel.state.OpenHumanTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** Builds a human task in few words, and says what people do with it. Made of {@code approved}, {@code rejected}, {@code pass}. */
public final class Asks implements BiFunction<ScopeId, Routing, Node> {
    public static final Outcome APPROVED = new Outcome("approved");
    public static final Outcome REJECTED = new Outcome("rejected");
    public static final Outcome PASS = new Outcome("pass");

    /** The first visit of the node that most stories ask by. */
    static final ActivationId ASK = ActivationId.parse("ask#1");

    private final String id;
    private final JsonValue assignees;
    private final List<Reminder> reminders = new ArrayList<>();
    private Quorum quorum = new Quorum.One();
    private Set<Outcome> vetoes = Set.of();
    private boolean unique = true;
    private Optional<Outcome> unmet = Optional.empty();
    private Drift drift = Drift.GO_ON;

    private Asks(String id, JsonValue assignees) {
        this.id = id;
        this.assignees = assignees;
    }

    /** Users by name; {@code role:} before a name asks a role. */
    public static Asks of(String id, String... parties) {
        return new Asks(
                id,
                new JsonArray(Arrays.stream(parties)
                        .<JsonValue>map(party -> party.startsWith("role:")
                                ? JsonObject.builder()
                                        .put("role", party.substring(5))
                                        .build()
                                : new JsonString(party))
                        .toList()));
    }

    public static Asks by(String id, JsonValue assignees) {
        return new Asks(id, assignees);
    }

    public Asks quorum(Quorum of) {
        quorum = of;
        return this;
    }

    public Asks vetoes(Outcome... by) {
        vetoes = Set.of(by);
        return this;
    }

    public Asks anyActor() {
        unique = false;
        return this;
    }

    public Asks unmet(Outcome outcome) {
        unmet = Optional.of(outcome);
        return this;
    }

    public Asks drift(Drift rule) {
        drift = rule;
        return this;
    }

    public Asks remind(String name, String after, Reminder.Action action) {
        reminders.add(new Reminder(name, new JsonString(after), action));
        return this;
    }

    @Override
    public Node.HumanTask apply(ScopeId scope, Routing routing) {
        return new Node.HumanTask(
                new NodeId(id),
                scope,
                List.of(APPROVED, REJECTED, PASS),
                vetoes,
                Optional.of(PASS),
                quorum,
                assignees,
                JsonObject.builder().put("what", id).build(),
                unique,
                reminders,
                unmet,
                drift,
                routing,
                routing == Routing.ALL,
                new Origin("/nodes/" + id));
    }

    /** A task that uses what {@code human} decided. */
    public static BiFunction<ScopeId, Routing, Node> gate(String id, String human) {
        return (scope, routing) -> new Node.Task(
                new NodeId(id),
                scope,
                new HandlerName("core.echo"),
                JsonObject.EMPTY,
                Retry.NONE,
                Duration.ofSeconds(30),
                false,
                Optional.empty(),
                Optional.of(new NodeId(human)),
                routing,
                routing == Routing.ALL,
                new Origin("/nodes/" + id));
    }

    public static BiFunction<ScopeId, Routing, Node> assign(String id, Map<String, JsonValue> values) {
        return (scope, routing) -> new Node.Assign(
                new NodeId(id), scope, values, routing, routing == Routing.ALL, new Origin("/nodes/" + id));
    }

    public static HumanCommand.Decide decide(String activation, Outcome outcome, String... roles) {
        return new HumanCommand.Decide(
                ActivationId.parse(activation),
                outcome,
                Set.of(roles),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    public static HumanCommand.Decide overriding(String activation, Outcome outcome) {
        return new HumanCommand.Decide(
                ActivationId.parse(activation),
                outcome,
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                true);
    }

    public static HumanCommand.Decide behalf(String activation, Outcome outcome, String of) {
        return new HumanCommand.Decide(
                ActivationId.parse(activation),
                outcome,
                Set.of(),
                Optional.of(of),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    public static HumanCommand.Decide on(long version, String activation, Outcome outcome) {
        return new HumanCommand.Decide(
                ActivationId.parse(activation),
                outcome,
                Set.of(),
                Optional.empty(),
                Optional.of("seen"),
                Optional.of(version),
                false);
    }

    public static HumanCommand.Claim claim(String activation, Duration lease, String... roles) {
        return new HumanCommand.Claim(ActivationId.parse(activation), Set.of(roles), lease, false);
    }

    public static DataCommand.SubjectChanged changed(long version) {
        return new DataCommand.SubjectChanged(version, false);
    }

    public static DataCommand.SubjectChanged own(long version) {
        return new DataCommand.SubjectChanged(version, true);
    }

    /** A run in which {@link #ASK} waits for its people. */
    static Story asked(Asks asks) {
        return Story.of(Asks.flow(asks)).start();
    }

    /** What is known of {@link #ASK}, which is open. */
    static HumanTaskState task(Story story) {
        return story.state().humanTask(ASK).map(OpenHumanTask::task).orElseThrow();
    }

    static List<Party> parties(Story story) {
        return task(story).assignees().stream().map(Assignee::party).toList();
    }

    /** Asked in a flow: each outcome has its end. */
    public static Programs flow(Asks asks) {
        return Programs.flow()
                .node(asks)
                .end("yes")
                .end("no")
                .edge("start", asks.id)
                .on(APPROVED, asks.id, "yes")
                .on(REJECTED, asks.id, "no");
    }
}
