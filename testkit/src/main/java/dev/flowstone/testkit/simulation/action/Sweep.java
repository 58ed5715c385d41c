package dev.flowstone.testkit.simulation.action;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** A sweeper removes what nobody needs any more, while everybody goes on: receipts that have expired, snapshots of ended runs. */
final class Sweep implements Action {
    @Override
    public int weight() {
        return 4;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return world.database().sweep() > 0;
    }
}
