package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/** A node gets no processor for a while, perhaps for longer than its leases; then it wakes up and knows nothing. */
final class Pause implements Fault {
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
        dice.pick(up).pause(dice.millis(100, 40_000));
        return true;
    }
}
