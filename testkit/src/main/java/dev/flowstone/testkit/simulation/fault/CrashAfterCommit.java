package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;

/** A node dies when its commit is durable and nobody has been told. */
final class CrashAfterCommit implements Fault {
    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        SimulatedNode node = dice.pick(world.nodes());
        return node.strikes().onCommit(name(), (commit, store) -> {
            store.commit(commit);
            throw node.dying();
        });
    }
}
