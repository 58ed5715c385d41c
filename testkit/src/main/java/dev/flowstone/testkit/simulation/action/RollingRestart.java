package dev.flowstone.testkit.simulation.action;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/** An operator stops a node in good order; it comes back soon. */
final class RollingRestart implements Action {
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
        dice.pick(up).restart(dice.below(4), dice.millis(0, 5_000));
        return true;
    }
}
