package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.kernel.id.HandlerName;
import java.util.List;

/**
 * Nothing begins beyond a limit of its node, counted by what there is: handlers that run and attempts that workers have. There may
 * be more of what workers went on with when their node had changed; then nothing begins.
 */
final class LimitRule {
    private LimitRule() {}

    /**
     * To be called when something has begun.
     *
     * @param running actions of this process's handlers, each as often as it is under way
     */
    static void check(World world, SimulatedNode node, HandlerName begun, List<HandlerName> running) {
        int outside = node.engine().map(up -> up.node().remoteTasks().held()).orElse(0);
        for (ActionLimit limit : world.settings().task().limits()) {
            long now = running.stream().filter(limit::isOn).count() + (limit.isOn(Handlers.OUTSIDE) ? outside : 0);
            if (limit.isOn(begun) && limit.atOnce() > 0 && now > limit.atOnce()) {
                world.violate(new Violation("LIMIT", node.name() + " does " + now + " at once of " + limit));
            }
        }
    }
}
