package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;

/** The database can't be reached: nothing of the commit is stored, and the node knows it. */
final class CommitRefused implements Fault {
    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        SimulatedNode node = dice.pick(world.nodes());
        return node.strikes().onCommit(name(), (commit, store) -> {
            throw new JournalException.Unavailable("the network is down");
        });
    }
}
