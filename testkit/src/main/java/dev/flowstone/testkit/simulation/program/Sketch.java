package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.ContextRule;
import dev.flowstone.kernel.program.ContextRule.Overflow;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SubjectBook;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** A program in the making: nodes go into the scope that was begun last. */
final class Sketch {
    private static final ScopeId ROOT = new ScopeId("root");
    private static final int DEEPEST = 3;
    private static final int MANY = 24;

    /** Bytes of context in which a trigger and one large result stand. */
    private static final int ROOM_FOR_ONE = 700;

    private static final List<Outcome> ARRIVALS = List.of(Outcome.SUCCESS, Outcome.FAILURE, new Outcome("yes"));
    static final List<String> CONDITIONS = List.of(
            "true",
            "false",
            "context.data.n1.n > 50",
            "context.data.n2.n < 30",
            "variables.v0 == 'one'",
            "trigger.x",
            "nowhere.to.be.found");

    private final Dice dice;
    private final String another;
    private final boolean aboutSubjects;
    private final boolean outside;
    private final List<Scope> scopes = new ArrayList<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final List<Edge> edges = new ArrayList<>();
    private final Map<String, Integer> twins = new HashMap<>();
    private final Map<String, Composite> composites = new HashMap<>();
    private final List<String> permits = new ArrayList<>();
    private final List<String> humans = new ArrayList<>();
    private final ArrayDeque<Frame> around = new ArrayDeque<>();

    /** What a piece of several nodes is for its surroundings: where it goes on, and from where it may be left. */
    private record Composite(String out, List<String> inside) {}

    private record Frame(ScopeId scope, boolean settling) {}

    private record WayOut(String from, EdgeId edge) {}

    /**
     * An empty one.
     *
     * @param another workflow of the same world
     */
    Sketch(Dice dice, boolean settling, String another) {
        this.dice = dice;
        this.another = another;
        this.aboutSubjects = dice.percent(50);
        this.outside = dice.percent(40);
        around.push(new Frame(ROOT, settling));
        end("start", failurePolicy(), Optional.empty(), "");
        around.push(new Frame(ROOT, settling));
    }

    Dice dice() {
        return dice;
    }

    /** Whether its tasks mostly change what their run is about. */
    boolean isAboutSubjects() {
        return aboutSubjects;
    }

    /** Whether many of its tasks are for workers in other processes. */
    boolean isDoneOutside() {
        return outside;
    }

    /** A workflow that may be called. */
    String another() {
        return another;
    }

    ScopeId scope() {
        return around.getFirst().scope;
    }

    boolean isSettling() {
        return around.getFirst().settling;
    }

    Routing routing() {
        return isSettling() ? Routing.ALL : Routing.FIRST;
    }

    /** Whether a path may end at the next node, by chance where that matters. */
    boolean mayEnd() {
        return isSettling() || dice.percent(60);
    }

    void add(Node node) {
        nodes.put(node.id().value(), node);
    }

    boolean isEnd(String id) {
        return nodes.get(id) instanceof Node.End;
    }

    /** Awaits of permits so far. */
    List<String> permits() {
        return permits;
    }

    /** Human tasks so far. */
    List<String> humans() {
        return humans;
    }

    /** A piece goes on from another node than it is entered at, and may be left from nodes inside. */
    void composite(String id, String out, List<String> inside) {
        composites.put(id, new Composite(out, List.copyOf(inside)));
    }

    /** Whether a branch may hold a cycle. */
    boolean hasComposites() {
        return !composites.isEmpty();
    }

    /** The node where a piece goes on. */
    String out(String id) {
        Composite composite = composites.get(id);
        return composite == null ? id : composite.out;
    }

    /** Nodes in a piece's branches. */
    List<String> inside(String id) {
        Composite composite = composites.get(id);
        return composite == null ? List.of() : composite.inside;
    }

    /** Begins a scope inside the one at hand. */
    void begin(String id, boolean ofSettling) {
        around.push(new Frame(new ScopeId(id), ofSettling));
    }

    /** Ends a flow scope. */
    void endFlow(String entry) {
        end(entry, failurePolicy(), Optional.empty(), "");
    }

    /** Ends a fork's branch. */
    void endBranch(String entry, Scope.FailurePolicy policy, String fork) {
        end(entry, policy, Optional.empty(), fork);
    }

    /** Ends a settling scope inside a flow scope, which goes on from one of its nodes when it has settled. */
    void endSettling(String entry, String from, String next) {
        String out = out(from);
        end(entry, failurePolicy(), Optional.of(new WayOut(out, plain(from, next))), "");
    }

    /** What an unhandled failure does in a scope that is no branch. */
    private Scope.FailurePolicy failurePolicy() {
        return switch (dice.below(20)) {
            case 0, 1, 2 -> Scope.FailurePolicy.PARK;
            case 3, 4, 5, 6, 7, 8, 9 -> Scope.FailurePolicy.COMPENSATE;
            default -> Scope.FailurePolicy.FAIL;
        };
    }

    private void end(String entry, Scope.FailurePolicy policy, Optional<WayOut> out, String fork) {
        Frame ended = around.pop();
        Frame parent = around.peek();
        scopes.add(new Scope(
                ended.scope,
                parent == null ? Optional.empty() : Optional.of(parent.scope),
                ended.settling ? Scope.Kind.SETTLING : Scope.Kind.FLOW,
                policy,
                new NodeId(entry),
                out.map(way -> new NodeId(way.from)),
                out.map(way -> way.edge),
                fork.isEmpty() ? Optional.empty() : Optional.of(new NodeId(fork))));
    }

    /** One more piece, by chance. */
    void piece(String id, boolean mayEnd) {
        ProgramPiece piece = Pieces.next(dice);
        while ((!mayEnd && piece instanceof EndPiece) || (isFull() && piece instanceof ForkPiece)) {
            piece = Pieces.next(dice);
        }
        piece.write(this, id);
    }

    private boolean isFull() {
        return around.size() > DEEPEST || nodes.size() > MANY;
    }

    /** An edge that a piece takes if nothing goes wrong, without a condition. */
    EdgeId plain(String from, String to) {
        Outcome on = nodes.get(out(from)) instanceof Node.HumanTask ? Outcome.ALWAYS : Outcome.SUCCESS;
        return edge(out(from), to, on, Optional.empty(), false, Optional.empty(), Optional.empty());
    }

    /** An edge of any sort; from a composite sometimes out of the middle of it. */
    void edge(String from, String to) {
        List<String> inside = inside(from);
        String at = out(from);
        if (!inside.isEmpty() && dice.percent(45)) {
            at = dice.pick(inside);
        } else if (nodes.get(from) instanceof Node.Fork && dice.percent(10)) {
            at = from;
        }
        any(at, to, Optional.empty());
    }

    /** An edge to a join. */
    void arrive(String from, String join, boolean plain) {
        Optional<Outcome> as = dice.percent(20) ? Optional.of(dice.pick(ARRIVALS)) : Optional.empty();
        if (plain) {
            Outcome on = nodes.get(out(from)) instanceof Node.HumanTask ? Outcome.ALWAYS : Outcome.SUCCESS;
            edge(out(from), join, on, Optional.empty(), false, as, Optional.empty());
        } else {
            any(out(from), join, as);
        }
    }

    private void any(String from, String to, Optional<Outcome> as) {
        Node node = Objects.requireNonNull(nodes.get(from), "an edge begins at a node");
        Outcome on = dice.pick(outcomes(node));
        boolean otherwise = dice.percent(16);
        Optional<String> when = otherwise || dice.percent(66) ? Optional.empty() : Optional.of(dice.pick(CONDITIONS));
        Optional<PolicyName> policy = otherwise || when.isPresent() || dice.percent(80)
                ? Optional.empty()
                : Optional.of(RandomPolicy.NAMES.get(dice.percent(20) ? 2 : dice.below(2)));
        edge(from, to, on, when, otherwise, as, policy);
    }

    /** What an edge of it may wait for; the usual ones more than once. */
    private static List<Outcome> outcomes(Node node) {
        Outcome good = Outcome.SUCCESS;
        return switch (node) {
            case Node.Start _, Node.Choice _ -> List.of(good, good, Outcome.ALWAYS);
            case Node.Task _ -> List.of(good, good, good, good, Outcome.FAILURE, Outcome.ALWAYS, Outcome.TIMEOUT);
            case Node.Timer _, Node.Assign _, Node.Emit _ -> List.of(good, good, good, Outcome.FAILURE, Outcome.ALWAYS);
            case Node.Fork _ -> List.of(Outcome.FAILURE);
            case Node.Join _ -> List.of(good, good, Outcome.UNSATISFIED, Outcome.ALWAYS);
            case Node.Await _ -> List.of(good, good, good, Outcome.TIMEOUT, Outcome.FAILURE, Outcome.ALWAYS);
            case Node.Call _ ->
                List.of(good, good, good, Outcome.TIMEOUT, Outcome.CANCELED, Outcome.FAILURE, Outcome.ALWAYS);
            case Node.HumanTask task -> {
                List<Outcome> all = new ArrayList<>(task.outcomes());
                all.addAll(List.of(task.outcomes().getFirst(), Outcome.FAILURE, Outcome.ALWAYS));
                if (task.drift() == Drift.EXIT) {
                    all.add(Outcome.DRIFT);
                }
                yield all;
            }
            case Node.End _ -> throw new IllegalArgumentException("no edge leaves an End");
        };
    }

    private EdgeId edge(
            String from,
            String to,
            Outcome on,
            Optional<String> when,
            boolean otherwise,
            Optional<Outcome> as,
            Optional<PolicyName> policy) {
        String name = from + "->" + to;
        int twin = twins.merge(name, 1, Integer::sum);
        EdgeId id = new EdgeId(twin == 1 ? name : name + "/" + twin);
        edges.add(new Edge(
                id,
                new NodeId(from),
                new NodeId(to),
                on,
                when,
                otherwise,
                dice.below(3),
                as,
                policy,
                new Origin("/edges/" + edges.size())));
        return id;
    }

    private Output output() {
        return switch (dice.below(10)) {
            case 0 -> new Output.Template(new JsonString("{{context.data}}"));
            case 1 -> new Output.Template(new JsonString("{{context.data.n1.n}}"));
            default -> Output.TERMINALS;
        };
    }

    Program program(String workflow, Optional<Duration> deadline) {
        return new Program(
                "simulation",
                1,
                new WorkflowId(workflow),
                scopes,
                List.copyOf(nodes.values()),
                edges,
                output(),
                deadline,
                windows(),
                context(workflow));
    }

    /**
     * Some programs have room for few large results at once, and leave others out. By their size and name alone: a throw of the
     * dice would change all that comes after it.
     */
    private ContextRule context(String workflow) {
        return switch (Math.floorMod(31 * nodes.size() + 7 * edges.size() + workflow.hashCode(), 5)) {
            case 0 -> new ContextRule(Overflow.AUTO_PRUNE_OLDEST, Optional.of(ROOM_FOR_ONE));
            case 1 -> new ContextRule(Overflow.DROP_OVERSIZE, Optional.of(ROOM_FOR_ONE));
            default -> ContextRule.DEFAULT;
        };
    }

    /** Some programs say at some of their nodes how their run's subject may be edited; once in a while what nobody understands. */
    private JsonObject windows() {
        if (!dice.percent(40)) {
            return JsonObject.EMPTY;
        }
        JsonObject.Builder windows = JsonObject.builder();
        new TreeMap<>(nodes).keySet().forEach(id -> {
            if (dice.percent(40)) {
                windows.put(
                        id,
                        dice.percent(3)
                                ? new JsonString("ajar")
                                : SubjectBook.window(dice).toJson());
            }
        });
        return JsonObject.builder().put("windows", windows.build()).build();
    }
}
