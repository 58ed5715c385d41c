package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/** A node dies between two of its steps; its shards are free when the lease has run out, or when it is back. */
final class Crash implements Fault {
    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        List<SimulatedNode> up = world.upNodes();
        if (up.isEmpty()) {
            return false;
        }

        world.struck(name());
        dice.pick(up).crash(dice.millis(0, 30_000));
        return true;
    }
}
