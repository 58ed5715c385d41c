package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/** A caller who goes from node to node until one doesn't say "busy" at once. */
final class Somebody {
    private Somebody() {}

    static boolean asks(World world, Dice dice, StartRequest request) {
        List<SimulatedNode> up =
                world.nodes().stream().filter(SimulatedNode::runs).toList();
        int first = dice.below(1_000);
        for (int i = 0; i < up.size(); i++) {
            if (world.clients().ask(up.get((first + i) % up.size()), request)) {
                return true;
            }
        }
        return !up.isEmpty();
    }
}
