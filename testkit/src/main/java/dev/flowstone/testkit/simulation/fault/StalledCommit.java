package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;

/** A node stops for longer than its lease on its way into a commit. Its peers take over and work; then its commit arrives. */
final class StalledCommit implements Fault {
    private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(16);

    @Override
    public int weight() {
        return 2;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        SimulatedNode node = dice.pick(world.nodes());
        int rounds = dice.between(1, 6);
        return node.strikes().onCommit(name(), (commit, store) -> {
            world.advance(LONGER_THAN_A_LEASE);
            for (SimulatedNode other : world.nodes()) {
                for (int round = 0; other != node && round < rounds; round++) {
                    other.step();
                }
            }
            return store.commit(commit);
        });
    }
}
