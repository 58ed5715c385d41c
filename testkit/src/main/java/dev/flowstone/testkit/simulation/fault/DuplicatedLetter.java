package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Strikes;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;

/** A letter to another process arrives twice, the second time perhaps long after it was consumed. */
final class DuplicatedLetter implements Fault {
    @Override
    public int weight() {
        return 8;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.nodes())
                .strikes()
                .onPost(name(), new Strikes.Post(Duration.ZERO, dice.millis(1, 60_000)));
    }
}
