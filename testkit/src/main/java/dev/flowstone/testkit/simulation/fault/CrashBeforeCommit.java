package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;

/** A node dies when it was about to commit. */
final class CrashBeforeCommit implements Fault {
    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        SimulatedNode node = dice.pick(world.nodes());
        return node.strikes().onCommit(name(), (commit, store) -> {
            throw node.dying();
        });
    }
}
