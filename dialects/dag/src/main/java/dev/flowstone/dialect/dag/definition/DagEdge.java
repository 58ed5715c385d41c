package dev.flowstone.dialect.dag.definition;

import java.util.Optional;

/**
 * One edge of a node's {@code edges}.
 *
 * @param pointer JSON pointer of the edge, {@code /nodes/3/edges/0}
 */
public record DagEdge(String pointer, Optional<String> target, When when, Optional<String> condition) {
    /** Without a condition, or with the condition {@code true}. */
    public boolean unconditional() {
        return condition.map(String::strip).filter(text -> !text.equals("true")).isEmpty();
    }

    /** The outcomes of its node that an edge is for. */
    public enum When {
        SUCCESS,
        FAILURE,
        ALWAYS
    }
}
