package dev.flowstone.dialect.dag.definition;

import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * One node.
 *
 * @param pointer JSON pointer of the node, {@code /nodes/3}
 * @param workflowVersion of a subworkflow; empty means the version that is current when it is called
 * @param waits whether a subworkflow is waited for
 */
public record DagNode(
        String pointer,
        Optional<String> id,
        Kind kind,
        Optional<String> actionType,
        Optional<String> workflowId,
        Optional<Integer> workflowVersion,
        boolean waits,
        JsonObject parameters,
        Optional<String> onFailure,
        RoutePolicy routePolicy,
        Policies policies,
        List<DagEdge> edges) {
    /** The action that is compiled to a timer. */
    public static final String DELAY = "core.delay";

    public DagNode {
        edges = List.copyOf(edges);
    }

    /** How messages call this node. */
    public String name() {
        return id.map(Quoted::text).orElse("at " + pointer);
    }

    public boolean isDelay() {
        return kind == Kind.ACTION && actionType.filter(DELAY::equals).isPresent();
    }

    /** What a node does. */
    public enum Kind {
        ACTION,
        SUBWORKFLOW
    }

    /** Which of the edges that could be taken are. */
    public enum RoutePolicy {
        PARALLEL,
        FIRST_MATCH
    }
}
