package dev.flowstone.testkit.simulation.progress;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RemoteWorker;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;

/** For a while nothing goes wrong and nobody asks for anything: all that can be done at this instant is done, or most of it. */
final class WorkOn implements Progress {
    private static final int MOST_ROUNDS = 8;

    @Override
    public int weight() {
        return 16;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        boolean more = true;
        for (int left = dice.between(1, MOST_ROUNDS); left > 0 && more; left--) {
            more = world.deliver();
            for (SimulatedNode node : world.nodes()) {
                more |= node.step();
                more |= node.work(dice.below(1_000));
            }
            for (RemoteWorker worker : world.workers()) {
                more |= worker.work(dice.below(1_000));
            }
        }
        return true;
    }
}
