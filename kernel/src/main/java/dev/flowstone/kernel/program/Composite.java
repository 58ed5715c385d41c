package dev.flowstone.kernel.program;

import java.util.List;

/**
 * A fork, its branches and its join as one node of the settling scope around them (R6). Its outgoing edges are those of
 * its fork and its join, and the exits out of its branches, which resolve together.
 *
 * @param join number of the join
 * @param exits edges that lead from any depth inside to a node of the scope around
 */
public record Composite(int join, List<Way> exits) {
    public Composite {
        exits = List.copyOf(exits);
    }
}
