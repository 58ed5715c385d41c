package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;

/** The connection breaks in COMMIT, after it became durable: nobody knows the outcome. */
final class CommitLostAfter implements Fault {
    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        SimulatedNode node = dice.pick(world.nodes());
        return node.strikes().onCommit(name(), (commit, store) -> {
            store.commit(commit);
            throw new JournalException.UnknownOutcome("the connection broke");
        });
    }
}
