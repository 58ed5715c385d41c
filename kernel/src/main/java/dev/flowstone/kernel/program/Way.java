package dev.flowstone.kernel.program;

/**
 * An edge as its source sees it.
 *
 * @param target number of the node that it leads to
 */
public record Way(Edge edge, Kind kind, int target) {
    /** How an edge stands to the scopes of its two ends (R6). */
    public enum Kind {
        /** Stays in its scope. */
        INNER,
        /** Leads to the entry of a scope right inside its own. */
        ENTERING,
        /** Leaves its scope, and perhaps more around it. */
        EXIT,
        /** Leads from a branch to the join of the fork that opened it: the branch arrives (R10). */
        ARRIVING,
        /** Followed when its scope has settled; never a candidate on completion. */
        CONTINUATION
    }
}
