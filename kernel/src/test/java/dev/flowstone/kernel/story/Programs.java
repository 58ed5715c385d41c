package dev.flowstone.kernel.story;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.ChildAnswer;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.program.ContextRule;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
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
import java.util.function.BiFunction;

/** Builds programs in few words. Nodes go into the scope named last; the root scope is {@code root}. */
public final class Programs {
    private final ProgramScopes scopes;
    private final List<Node> nodes = new ArrayList<>();
    private final ProgramEdges edges = new ProgramEdges();
    private Optional<Duration> deadline = Optional.empty();
    private String workflow = "wf";
    private Output output = Output.TERMINALS;
    private JsonObject metadata = JsonObject.EMPTY;
    private ContextRule context = ContextRule.DEFAULT;

    private Programs(Scope.Kind root) {
        scopes = new ProgramScopes(root, new NodeId("start"));
        nodes.add(new Node.Start(new NodeId("start"), scope(), routing(), Origin.COMPILER));
    }

    /** A settling root scope, entered at {@code start}. */
    public static Programs dag() {
        return new Programs(Scope.Kind.SETTLING);
    }

    /** A flow root scope, entered at {@code start}. */
    public static Programs flow() {
        return new Programs(Scope.Kind.FLOW);
    }

    private static Origin origin(String id) {
        return new Origin("/nodes/" + id);
    }

    private ScopeId scope() {
        return scopes.current();
    }

    private boolean settling() {
        return scopes.settling();
    }

    private Routing routing() {
        return settling() ? Routing.ALL : Routing.FIRST;
    }

    /** What becomes of results beyond so many bytes of context. */
    public Programs context(ContextRule.Overflow overflow, int maxBytes) {
        context = new ContextRule(overflow, Optional.of(maxBytes));
        return this;
    }

    public Programs deadline(Duration of) {
        deadline = Optional.of(of);
        return this;
    }

    /** Begins a scope inside the root; its continuation is the edge {@code out->next}. */
    public Programs settlingScope(String id, String entry, String out, String next) {
        return scope(id, "root", Scope.Kind.SETTLING, entry, Optional.of(out), Optional.of(out + "->" + next));
    }

    /** Another way out of a scope that was begun already: the edge {@code out->next} that is added next. */
    Programs wayOut(String id, String out, String next) {
        scopes.wayOut(new ScopeId(id), new NodeId(out), new EdgeId(out + "->" + next));
        return this;
    }

    public Programs flowScope(String id, String parent, String entry) {
        return scope(id, parent, Scope.Kind.FLOW, entry, Optional.empty(), Optional.empty());
    }

    public Programs scope(
            String id,
            String parent,
            Scope.Kind kind,
            String entry,
            Optional<String> out,
            Optional<String> continuation) {
        scopes.begin(new Scope(
                new ScopeId(id),
                Optional.of(new ScopeId(parent)),
                kind,
                Scope.FailurePolicy.FAIL,
                new NodeId(entry),
                out.map(NodeId::new),
                continuation.map(EdgeId::new)));
        return this;
    }

    /** Named branches, each a scope of its name that begins at {@code name.in}; continue with {@link #branch}. */
    public Programs fork(String id, String join, String... branches) {
        List<Branches.Branch> named = new ArrayList<>();
        for (String branch : branches) {
            named.add(new Branches.Branch(branch, new ScopeId(branch)));
        }
        return fork(id, join, new Branches.Static(named));
    }

    /** One branch, an instance of scope {@code branch}, for each element of what the template renders to. */
    public Programs forEach(String id, String join, String items, String branch, int window) {
        return fork(id, join, new Branches.Each(new JsonString(items), new ScopeId(branch), window));
    }

    public Programs fork(String id, String join, Branches branches) {
        nodes.add(new Node.Fork(new NodeId(id), scope(), branches, new NodeId(join), routing(), origin(id)));
        return this;
    }

    public Programs join(String id) {
        return join(id, new JoinPolicy.All(), Node.Join.Losers.CANCEL);
    }

    public Programs join(String id, JoinPolicy policy, Node.Join.Losers losers) {
        nodes.add(new Node.Join(new NodeId(id), scope(), policy, losers, routing(), settling(), origin(id)));
        return this;
    }

    public Programs choice(String id) {
        nodes.add(new Node.Choice(new NodeId(id), scope(), routing(), settling(), origin(id)));
        return this;
    }

    /** Begins the flow scope of a branch; nodes that follow lie in it. */
    public Programs branch(String id, String fork, String entry) {
        return branch(id, fork, entry, Scope.Kind.FLOW, Scope.FailurePolicy.FAIL);
    }

    public Programs settlingBranch(String id, String fork, String entry) {
        return branch(id, fork, entry, Scope.Kind.SETTLING, Scope.FailurePolicy.FAIL);
    }

    public Programs branch(String id, String fork, String entry, Scope.Kind kind, Scope.FailurePolicy onFailure) {
        ScopeId parent = nodes.stream()
                .filter(node -> node.id().value().equals(fork))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("add fork " + fork + " before its branches"))
                .scope();
        scopes.begin(new Scope(
                new ScopeId(id),
                Optional.of(parent),
                kind,
                onFailure,
                new NodeId(entry),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new NodeId(fork))));
        return this;
    }

    /** Nodes that follow lie in this scope, which was begun already. */
    public Programs in(String id) {
        scopes.goOnIn(new ScopeId(id));
        return this;
    }

    /** Where a scope begins, if that wasn't known before. */
    public Programs begins(String id, String entry) {
        scopes.entry(new ScopeId(id), new NodeId(entry));
        return this;
    }

    /** The policy of the scope at hand. */
    public Programs onFailure(Scope.FailurePolicy policy) {
        scopes.onFailure(policy);
        return this;
    }

    /** An edge to a join that declares what its branch arrives as. */
    public Programs arriving(Outcome on, String from, String to, Outcome as) {
        edges.add(from, to, on, Optional.empty(), false, 0, Optional.of(as));
        return this;
    }

    public Programs inRoot() {
        return in("root");
    }

    public Programs task(String id) {
        return task(id, Retry.NONE);
    }

    public Programs task(String id, Retry retry) {
        return task(id, retry, JsonObject.EMPTY, settling(), routing());
    }

    /** One that must take an edge. */
    public Programs strictTask(String id) {
        return task(id, Retry.NONE, JsonObject.EMPTY, false, routing());
    }

    public Programs task(String id, Retry retry, JsonValue input, boolean mayEnd, Routing routing) {
        return task(id, retry, input, false, mayEnd, routing);
    }

    public Programs task(String id, Retry retry, JsonValue input, boolean rerender, boolean mayEnd, Routing routing) {
        nodes.add(new Node.Task(
                new NodeId(id),
                scope(),
                new HandlerName("core.echo"),
                input,
                retry,
                Duration.ofSeconds(30),
                rerender,
                routing,
                mayEnd,
                origin(id)));
        return this;
    }

    /** A task that other work undoes, once. */
    public Programs undoable(String id) {
        return undoable(id, Retry.NONE, new JsonString("{{context.data." + id + "}}"));
    }

    public Programs undoable(String id, Retry retry, JsonValue input) {
        return compensated(
                id, new Compensation.ByHandler(new HandlerName("core.undo"), input, retry, Duration.ofSeconds(30)));
    }

    /** One that is itself tried again. */
    public Programs undoable(String id, Retry tried) {
        Compensation.ByHandler undo = new Compensation.ByHandler(
                new HandlerName("core.undo"), JsonObject.EMPTY, Retry.NONE, Duration.ofSeconds(30));
        return compensated(id, tried, undo);
    }

    /** A task that nothing undoes: a person must see to it. */
    public Programs attested(String id) {
        return compensated(id, new Compensation.Attested("call somebody about " + id));
    }

    private Programs compensated(String id, Compensation compensation) {
        return compensated(id, Retry.NONE, compensation);
    }

    private Programs compensated(String id, Retry retry, Compensation compensation) {
        nodes.add(new Node.Task(
                new NodeId(id),
                scope(),
                new HandlerName("core.echo"),
                JsonObject.EMPTY,
                retry,
                Duration.ofSeconds(30),
                false,
                Optional.of(compensation),
                routing(),
                settling(),
                origin(id)));
        return this;
    }

    public Programs tasks(String... ids) {
        for (String id : ids) {
            task(id);
        }
        return this;
    }

    public Programs named(String name) {
        workflow = name;
        return this;
    }

    /** Waits for a signal; the key is a text or a template. */
    public Programs await(String id, String type, String key) {
        return await(id, new Source.Channel(type, new JsonString(key)), Optional.empty());
    }

    public Programs await(String id, String type, String key, String timeout) {
        return await(id, new Source.Channel(type, new JsonString(key)), Optional.of(new JsonString(timeout)));
    }

    public Programs permit(String id, String semaphore, int limit, int permits, Duration lease) {
        return await(id, new Source.Permit(new JsonString(semaphore), limit, permits, lease), Optional.empty());
    }

    public Programs await(String id, Source source, Optional<JsonValue> timeout) {
        nodes.add(new Node.Await(new NodeId(id), scope(), source, timeout, routing(), settling(), origin(id)));
        return this;
    }

    public Programs emit(String id, String type, String key, String payload) {
        return emit(
                id,
                new Target.Channel(
                        type, new JsonString(key), new JsonString(payload), Optional.empty(), Duration.ofHours(1)));
    }

    public Programs broadcast(String id, String type, String key, String payload) {
        return emit(id, new Target.Broadcast(type, new JsonString(key), new JsonString(payload)));
    }

    public Programs release(String id, String await) {
        return emit(id, new Target.Release(new NodeId(await)));
    }

    public Programs emit(String id, Target target) {
        nodes.add(new Node.Emit(new NodeId(id), scope(), target, routing(), settling(), origin(id)));
        return this;
    }

    /** Waits for a child, everything cascades. */
    public Programs call(String id, String called) {
        return call(id, called, true, Optional.empty(), ChildPolicies.CASCADE);
    }

    public Programs spawn(String id, String called) {
        return call(id, called, false, Optional.empty(), ChildPolicies.CASCADE);
    }

    /** With {@code trigger} as the child's {@code trigger}. */
    public Programs call(String id, String called, boolean waits, Optional<String> timeout, ChildPolicies policies) {
        return call(id, called, waits, timeout, policies, ChildAnswer.PLAIN);
    }

    /** One whose child's output is wrapped, as a JSON DAG has it. */
    public Programs wrapped(String id, String called, boolean waits) {
        return call(id, called, waits, Optional.empty(), ChildPolicies.CASCADE, ChildAnswer.WRAPPED);
    }

    public Programs call(
            String id,
            String called,
            boolean waits,
            Optional<String> timeout,
            ChildPolicies policies,
            ChildAnswer answer) {
        nodes.add(new Node.Call(
                new NodeId(id),
                scope(),
                new WorkflowId(called),
                Optional.empty(),
                Map.of("trigger", new JsonString("{{trigger}}")),
                waits,
                timeout.map(JsonString::new),
                policies,
                answer,
                routing(),
                settling(),
                origin(id)));
        return this;
    }

    public Programs timer(String id, String duration) {
        nodes.add(new Node.Timer(new NodeId(id), scope(), new JsonString(duration), routing(), settling(), origin(id)));
        return this;
    }

    /** A node of any kind, in the scope named last. */
    public Programs node(BiFunction<ScopeId, Routing, Node> made) {
        nodes.add(made.apply(scope(), routing()));
        return this;
    }

    /** Of the run, as a template. */
    public Programs output(JsonValue template) {
        output = new Output.Template(template);
        return this;
    }

    public Programs metadata(JsonObject of) {
        metadata = of;
        return this;
    }

    public Programs end(String id) {
        return end(id, Outcome.SUCCESS, false);
    }

    public Programs end(String id, Outcome outcome, boolean terminate) {
        nodes.add(new Node.End(new NodeId(id), scope(), outcome, terminate, origin(id)));
        return this;
    }

    /** An edge on success. */
    public Programs edge(String from, String to) {
        return edge(from, to, Outcome.SUCCESS, Optional.empty(), false, 0);
    }

    public Programs edge(String from, String to, String when) {
        return edge(from, to, Outcome.SUCCESS, Optional.of(when), false, 0);
    }

    public Programs on(Outcome outcome, String from, String to) {
        return edge(from, to, outcome, Optional.empty(), false, 0);
    }

    public Programs otherwise(Outcome outcome, String from, String to) {
        return edge(from, to, outcome, Optional.empty(), true, 0);
    }

    public Programs edge(String from, String to, Outcome on, Optional<String> when, boolean otherwise, int priority) {
        edges.add(from, to, on, when, otherwise, priority, Optional.empty());
        return this;
    }

    /** Edges on success along these nodes. */
    public Programs chain(String... ids) {
        for (int i = 1; i < ids.length; i++) {
            edge(ids[i - 1], ids[i]);
        }
        return this;
    }

    public Program build() {
        return new Program(
                "test",
                1,
                new WorkflowId(workflow),
                scopes.all(),
                nodes,
                edges.all(),
                output,
                deadline,
                metadata,
                context);
    }
}
