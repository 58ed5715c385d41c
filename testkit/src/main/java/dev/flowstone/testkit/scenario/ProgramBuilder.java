package dev.flowstone.testkit.scenario;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.program.Source;
import dev.flowstone.kernel.program.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Builds a program in few words. Its root is a settling scope, entered at {@code start}; nodes go into the scope that was
 * begun last.
 */
public final class ProgramBuilder {
    private static final ScopeId ROOT = new ScopeId("root");
    private static final NodeId START = new NodeId("start");

    private final WorkflowId workflow;
    private final List<Scope> scopes = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private Duration timeout = Duration.ofMinutes(5);
    private Retry retry = Retry.NONE;
    private Output output = Output.TERMINALS;
    private ScopeId scope = ROOT;
    private Routing routing = Routing.ALL;

    private ProgramBuilder(String workflow) {
        this.workflow = new WorkflowId(workflow);
        nodes.add(new Node.Start(START, ROOT, Routing.ALL, Origin.COMPILER));
        scopes.add(new Scope(
                ROOT,
                Optional.empty(),
                Scope.Kind.SETTLING,
                Scope.FailurePolicy.FAIL,
                START,
                Optional.empty(),
                Optional.empty()));
    }

    public static ProgramBuilder dag(String workflow) {
        return new ProgramBuilder(workflow);
    }

    /** Tasks of one handler, one after another: {@code s1 → s2 → …}. */
    public static Program sequence(String workflow, int tasks, String handler) {
        ProgramBuilder builder = dag(workflow);
        String before = "start";
        for (int i = 1; i <= tasks; i++) {
            builder.task("s" + i, handler).edge(before, "s" + i);
            before = "s" + i;
        }
        return builder.build();
    }

    /** One task, then so many at once, then one that waits for all of them. */
    public static Program fanOut(String workflow, int width, String handler) {
        ProgramBuilder builder =
                dag(workflow).task("first", handler).edge("start", "first").task("last", handler);
        for (int i = 1; i <= width; i++) {
            builder.task("b" + i, handler).edge("first", "b" + i).edge("b" + i, "last");
        }
        return builder.build();
    }

    /** For the tasks that follow. */
    public ProgramBuilder timeout(Duration ofAttempt) {
        timeout = ofAttempt;
        return this;
    }

    /** For the tasks that follow. */
    public ProgramBuilder retry(Retry rule) {
        retry = rule;
        return this;
    }

    public ProgramBuilder task(String id, String handler) {
        return task(id, handler, JsonObject.builder().put("node", id).build());
    }

    public ProgramBuilder task(String id, String handler, JsonValue input) {
        nodes.add(new Node.Task(
                new NodeId(id),
                scope,
                new HandlerName(handler),
                input,
                retry,
                timeout,
                false,
                routing,
                true,
                new Origin("/nodes/" + id)));
        return this;
    }

    public ProgramBuilder timer(String id, Duration wait) {
        nodes.add(new Node.Timer(
                new NodeId(id), scope, new JsonString(wait.toString()), routing, true, new Origin("/nodes/" + id)));
        return this;
    }

    /** Waits for a signal; the key is a text or a template. */
    public ProgramBuilder await(String id, String type, String key) {
        return await(id, new Source.Channel(type, new JsonString(key)), Optional.empty());
    }

    /** Waits for a signal for so long; then its outcome is {@code timeout}. */
    public ProgramBuilder await(String id, String type, String key, Duration timeout) {
        return await(id, new Source.Channel(type, new JsonString(key)), Optional.of(timeout));
    }

    /** Waits for permits of a semaphore. */
    public ProgramBuilder permit(String id, String semaphore, int limit, int permits, Duration lease) {
        return await(id, new Source.Permit(new JsonString(semaphore), limit, permits, lease), Optional.empty());
    }

    private ProgramBuilder await(String id, Source source, Optional<Duration> within) {
        Optional<JsonValue> template = within.map(wait -> new JsonString(wait.toString()));
        nodes.add(new Node.Await(new NodeId(id), scope, source, template, routing, true, new Origin("/nodes/" + id)));
        return this;
    }

    /** Sends a signal that is kept for so long. */
    public ProgramBuilder emit(String id, String type, String key, JsonValue payload, Duration timeToLive) {
        return emit(id, new Target.Channel(type, new JsonString(key), payload, Optional.empty(), timeToLive));
    }

    /** Sends a signal to everybody who waits now. */
    public ProgramBuilder broadcast(String id, String type, String key, JsonValue payload) {
        return emit(id, new Target.Broadcast(type, new JsonString(key), payload));
    }

    /** Gives back what a permit node got. */
    public ProgramBuilder release(String id, String permit) {
        return emit(id, new Target.Release(new NodeId(permit)));
    }

    private ProgramBuilder emit(String id, Target target) {
        nodes.add(new Node.Emit(new NodeId(id), scope, target, routing, true, new Origin("/nodes/" + id)));
        return this;
    }

    /** Starts the active version of a workflow and waits for it. */
    public ProgramBuilder call(String id, String workflow, Map<String, JsonValue> input) {
        return call(id, workflow, input, true, Optional.empty(), ChildPolicies.CASCADE);
    }

    /** Starts the active version of a workflow and goes on. */
    public ProgramBuilder spawn(String id, String workflow, Map<String, JsonValue> input) {
        return call(id, workflow, input, false, Optional.empty(), ChildPolicies.CASCADE);
    }

    public ProgramBuilder call(
            String id,
            String workflow,
            Map<String, JsonValue> input,
            boolean waits,
            Optional<Duration> within,
            ChildPolicies policies) {
        Optional<JsonValue> template = within.map(wait -> new JsonString(wait.toString()));
        nodes.add(new Node.Call(
                new NodeId(id),
                scope,
                new WorkflowId(workflow),
                Optional.empty(),
                input,
                waits,
                template,
                policies,
                routing,
                true,
                new Origin("/nodes/" + id)));
        return this;
    }

    /** Asks people, by {@code {{ }}} or as a list; what they may decide is {@code approved} and {@code rejected}. */
    public ProgramBuilder human(String id, JsonValue assignees, Quorum quorum, Reminder... reminders) {
        nodes.add(new Node.HumanTask(
                new NodeId(id),
                scope,
                List.of(new Outcome("approved"), new Outcome("rejected")),
                Set.of(),
                Optional.empty(),
                quorum,
                assignees,
                JsonObject.builder().put("node", id).build(),
                true,
                List.of(reminders),
                Optional.empty(),
                Drift.GO_ON,
                routing,
                true,
                new Origin("/nodes/" + id)));
        return this;
    }

    /** A task that uses the newest decision of {@code human}. */
    public ProgramBuilder gate(String id, String handler, String human) {
        nodes.add(new Node.Task(
                new NodeId(id),
                scope,
                new HandlerName(handler),
                JsonObject.builder().put("node", id).build(),
                retry,
                timeout,
                false,
                Optional.empty(),
                Optional.of(new NodeId(human)),
                routing,
                true,
                new Origin("/nodes/" + id)));
        return this;
    }

    public ProgramBuilder assign(String id, Map<String, JsonValue> values) {
        nodes.add(new Node.Assign(new NodeId(id), scope, values, routing, true, new Origin("/nodes/" + id)));
        return this;
    }

    /** The run's output, as a template. */
    public ProgramBuilder output(JsonValue template) {
        output = new Output.Template(template);
        return this;
    }

    public ProgramBuilder edge(String from, String to) {
        return edge(from, to, Outcome.SUCCESS, Optional.empty());
    }

    public ProgramBuilder when(String from, String to, String condition) {
        return edge(from, to, Outcome.SUCCESS, Optional.of(condition));
    }

    public ProgramBuilder edge(String from, String to, Outcome on, Optional<String> when) {
        edges.add(new Edge(
                new EdgeId(from + "->" + to + "#" + edges.size()),
                new NodeId(from),
                new NodeId(to),
                on,
                when,
                false,
                edges.size(),
                Origin.COMPILER));
        return this;
    }

    /** Named branches, each a scope of its name; begin each with {@link #branch}. */
    public ProgramBuilder fork(String id, String join, String... branches) {
        return fork(
                id,
                join,
                new Branches.Static(Stream.of(branches)
                        .map(name -> new Branches.Branch(name, new ScopeId(name)))
                        .toList()));
    }

    /** One branch, an instance of that scope, for each element of what the template renders to. */
    public ProgramBuilder forEach(String id, String join, JsonValue items, String branch, int window) {
        return fork(id, join, new Branches.Each(items, new ScopeId(branch), window));
    }

    private ProgramBuilder fork(String id, String join, Branches branches) {
        nodes.add(
                new Node.Fork(new NodeId(id), scope, branches, new NodeId(join), routing, new Origin("/nodes/" + id)));
        return this;
    }

    /** One that waits for all branches. */
    public ProgramBuilder join(String id) {
        return join(id, new JoinPolicy.All(), Node.Join.Losers.CANCEL);
    }

    public ProgramBuilder join(String id, JoinPolicy policy, Node.Join.Losers losers) {
        nodes.add(new Node.Join(new NodeId(id), scope, policy, losers, routing, true, new Origin("/nodes/" + id)));
        return this;
    }

    /** Begins the scope of a fork's branch; nodes that follow lie in it. */
    public ProgramBuilder branch(String id, String fork, String entry, Scope.Kind kind, Scope.FailurePolicy onFailure) {
        ScopeId parent = nodes.stream()
                .filter(node -> node.id().value().equals(fork))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("add fork " + fork + " before its branches"))
                .scope();
        scopes.add(new Scope(
                new ScopeId(id),
                Optional.of(parent),
                kind,
                onFailure,
                new NodeId(entry),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new NodeId(fork))));
        return in(id);
    }

    /** One in which every node takes at most one edge, and whose unhandled failures fail the run. */
    public ProgramBuilder branch(String id, String fork, String entry) {
        return branch(id, fork, entry, Scope.Kind.FLOW, Scope.FailurePolicy.FAIL);
    }

    /** Nodes that follow lie in this scope, which was begun already; the root's name is {@code root}. */
    public ProgramBuilder in(String id) {
        Scope known = scopes.stream()
                .filter(one -> one.id().value().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scope " + id));
        scope = known.id();
        routing = known.kind() == Scope.Kind.SETTLING ? Routing.ALL : Routing.FIRST;
        return this;
    }

    public Program build() {
        return new Program("testkit", 1, workflow, scopes, nodes, edges, output, Optional.empty(), JsonObject.EMPTY);
    }
}
