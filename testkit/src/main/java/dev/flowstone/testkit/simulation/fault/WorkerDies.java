package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RemoteWorker;
import dev.flowstone.testkit.simulation.world.World;

/** A worker dies with attempts in its hands, or while it waits for some: they are lost when its silence is noticed. */
final class WorkerDies implements Fault {
    @Override
    public int weight() {
        return 14;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        int first = dice.below(world.workers().size());
        for (int i = 0; i < world.workers().size(); i++) {
            RemoteWorker worker =
                    world.workers().get((first + i) % world.workers().size());
            if (worker.die()) {
                world.struck(name());
                return true;
            }
        }
        return false;
    }
}
