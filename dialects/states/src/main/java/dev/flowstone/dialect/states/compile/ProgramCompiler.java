package dev.flowstone.dialect.states.compile;

import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Region;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A sound source as a program: one flow scope, and one more for each branch. */
public final class ProgramCompiler {
    /** What {@link Program#dialect} says. */
    public static final String DIALECT = "states";

    /**
     * Of this compiler. Raised when the same source would give another program: 1 gave a child no {@code spec}, 2 gives
     * it an empty one. Programs of older compilers run on as they are.
     */
    public static final int VERSION = 2;

    private static final ScopeId ROOT = new ScopeId("root");
    private static final NodeId START = new NodeId("$start");
    private static final NodeId VARIABLES = new NodeId("$variables");

    private ProgramCompiler() {}

    public static Program compile(Source source) {
        At workflow = source.workflow();
        Parts parts = new Parts();
        Scope.FailurePolicy policy = policy(workflow.text("onFailure"), Scope.FailurePolicy.FAIL);
        parts.scope(ROOT, Optional.empty(), policy, START, Optional.empty());
        parts.nodes.add(new Node.Start(START, ROOT, Routing.FIRST, Origin.COMPILER));
        NodeId before = variables(workflow, parts);
        StateDef first = found(source.root());
        parts.edge(before, StateDef.SUCCESS, Ids.entry(first), new Origin("/start"));
        new RegionCompiler(parts, new Works(workflow), workflow)
                .compile(source.root(), Surroundings.root(ROOT, policy));
        return new Program(
                DIALECT,
                VERSION,
                new WorkflowId(source.id()),
                parts.scopes,
                parts.nodes,
                parts.edges,
                workflow.value("output").<Output>map(Output.Template::new).orElse(Output.TERMINALS),
                workflow.text("deadline").map(Duration::parse),
                Works.metadata(workflow));
    }

    /** Variables' first values, if any has one; what the first state follows. */
    private static NodeId variables(At workflow, Parts parts) {
        Map<String, JsonValue> values = new TreeMap<>();
        workflow.named("variables")
                .forEach((name, variable) -> variable.value("default").ifPresent(it -> values.put(name, it)));
        if (values.isEmpty()) {
            return START;
        }
        Origin origin = new Origin("/variables");
        parts.nodes.add(new Node.Assign(VARIABLES, ROOT, values, Routing.FIRST, false, origin));
        parts.edge(START, StateDef.SUCCESS, VARIABLES, origin);
        return VARIABLES;
    }

    static StateDef found(Region region) {
        return region.first()
                .orElseThrow(() -> new IllegalStateException("checked before: the start of " + region.name()));
    }

    static Scope.FailurePolicy policy(Optional<String> word, Scope.FailurePolicy otherwise) {
        return word.map(it -> switch (it) {
                    case "compensate" -> Scope.FailurePolicy.COMPENSATE;
                    case "park" -> Scope.FailurePolicy.PARK;
                    case "arrive" -> Scope.FailurePolicy.ARRIVE;
                    default -> Scope.FailurePolicy.FAIL;
                })
                .orElse(otherwise);
    }
}
