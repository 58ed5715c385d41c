package dev.flowstone.server.node;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.kernel.id.HandlerName;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;

/**
 * Warns of limits that are on no action this node knows: most likely a misspelt one. It isn't refused: of nodes with one
 * configuration each may have other workers' actions.
 */
final class IdleLimits {
    private static final System.Logger LOG = System.getLogger(IdleLimits.class.getName());

    private IdleLimits() {}

    static void warn(List<ActionLimit> limits, Collection<HandlerName> actions) {
        warnings(limits, actions).forEach(line -> LOG.log(Level.WARNING, line));
    }

    static List<String> warnings(List<ActionLimit> limits, Collection<HandlerName> actions) {
        return limits.stream()
                .filter(limit -> actions.stream().noneMatch(limit::isOn))
                .map(limit -> "the limit on " + limit.actions() + " holds for nothing: this node has no such action"
                        + " (a connector's ends with .*, such as slack.*)")
                .toList();
    }
}
