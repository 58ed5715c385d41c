package dev.flowstone.kernel.program;

import java.util.List;

/**
 * A node in its surroundings.
 *
 * @param number the node's place in the order of ids, from 0
 * @param scope its innermost scope
 * @param ways outgoing edges in (priority, id) order
 * @param arrivals how many edges lead to it from inside its scope, exits out of its forks' branches included; what a
 *     settling scope waits for
 * @param out whether its scope's continuation begins here
 */
public record Place(int number, Node node, Scope scope, List<Way> ways, int arrivals, boolean out) {
    public boolean settling() {
        return scope.kind() == Scope.Kind.SETTLING;
    }
}
