package dev.flowstone.testkit.scenario;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Edge;
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

/** Builds a program of one settling scope in few words; its entry is {@code start}. */
public final class ProgramBuilder {
    private static final ScopeId ROOT = new ScopeId("root");
    private static final NodeId START = new NodeId("start");

    private final WorkflowId workflow;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private Duration timeout = Duration.ofMinutes(5);
    private Retry retry = Retry.NONE;
    private Output output = Output.TERMINALS;

    private ProgramBuilder(String workflow) {
        this.workflow = new WorkflowId(workflow);
        nodes.add(new Node.Start(START, ROOT, Routing.ALL, Origin.COMPILER));
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
                ROOT,
                new HandlerName(handler),
                input,
                retry,
                timeout,
                false,
                Routing.ALL,
                true,
                new Origin("/nodes/" + id)));
        return this;
    }

    public ProgramBuilder timer(String id, Duration wait) {
        nodes.add(new Node.Timer(
                new NodeId(id), ROOT, new JsonString(wait.toString()), Routing.ALL, true, new Origin("/nodes/" + id)));
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
        nodes.add(
                new Node.Await(new NodeId(id), ROOT, source, template, Routing.ALL, true, new Origin("/nodes/" + id)));
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
        nodes.add(new Node.Emit(new NodeId(id), ROOT, target, Routing.ALL, true, new Origin("/nodes/" + id)));
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
                ROOT,
                new WorkflowId(workflow),
                Optional.empty(),
                input,
                waits,
                template,
                policies,
                Routing.ALL,
                true,
                new Origin("/nodes/" + id)));
        return this;
    }

    /** Asks people, by {@code {{ }}} or as a list; what they may decide is {@code approved} and {@code rejected}. */
    public ProgramBuilder human(String id, JsonValue assignees, Quorum quorum, Reminder... reminders) {
        nodes.add(new Node.HumanTask(
                new NodeId(id),
                ROOT,
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
                Routing.ALL,
                true,
                new Origin("/nodes/" + id)));
        return this;
    }

    /** A task that uses the newest decision of {@code human}. */
    public ProgramBuilder gate(String id, String handler, String human) {
        nodes.add(new Node.Task(
                new NodeId(id),
                ROOT,
                new HandlerName(handler),
                JsonObject.builder().put("node", id).build(),
                retry,
                timeout,
                false,
                Optional.empty(),
                Optional.of(new NodeId(human)),
                Routing.ALL,
                true,
                new Origin("/nodes/" + id)));
        return this;
    }

    public ProgramBuilder assign(String id, Map<String, JsonValue> values) {
        nodes.add(new Node.Assign(new NodeId(id), ROOT, values, Routing.ALL, true, new Origin("/nodes/" + id)));
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

    public Program build() {
        Scope root = new Scope(
                ROOT,
                Optional.empty(),
                Scope.Kind.SETTLING,
                Scope.FailurePolicy.FAIL,
                START,
                Optional.empty(),
                Optional.empty());
        return new Program(
                "testkit", 1, workflow, List.of(root), nodes, edges, output, Optional.empty(), JsonObject.EMPTY);
    }
}
