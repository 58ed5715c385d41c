package dev.flowstone.testkit.simulation.progress;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;

/** A node keeps its leases and does a round or more of each of its shards. */
final class StepNode implements Progress {
    @Override
    public int weight() {
        return 38;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        SimulatedNode node = dice.pick(world.nodes());
        boolean more = true;
        for (int left = dice.between(1, 4); left > 0 && more; left--) {
            more = node.step();
        }
        return true;
    }
}
