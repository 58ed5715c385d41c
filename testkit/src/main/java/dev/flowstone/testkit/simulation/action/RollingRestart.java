package dev.flowstone.testkit.simulation.action;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/**
 * An operator stops a node in good order; it comes back soon. Often it is one for which workers outside work, who notice it and turn
 * to those that have taken its shards over.
 */
final class RollingRestart implements Action {
    private static final int MOST_STEPS = 20;

    @Override
    public int weight() {
        return 2;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        List<SimulatedNode> up =
                world.nodes().stream().filter(SimulatedNode::runs).toList();
        if (up.isEmpty()) {
            return false;
        }
        world.workers().forEach(worker -> worker.work(0));
        List<SimulatedNode> busy = up.stream()
                .filter(node -> world.workers().stream().anyMatch(worker -> worker.worksFor(node)))
                .toList();
        SimulatedNode node = dice.pick(!busy.isEmpty() && dice.percent(90) ? busy : up);
        node.restart(dice.below(4), dice.millis(0, 5_000));
        for (int left = dice.between(4, MOST_STEPS); left > 0; left--) {
            world.advance(dice.millis(0, 300));
            world.nodes().stream().filter(other -> other != node).forEach(SimulatedNode::step);
        }
        world.workers().forEach(worker -> worker.misses(node));
        return true;
    }
}
