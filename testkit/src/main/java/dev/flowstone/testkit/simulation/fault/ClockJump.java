package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** Everybody's time leaps ahead, as after a night without power. */
final class ClockJump implements Fault {
    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        world.struck(name());
        world.advance(dice.millis(60_000, 7_200_000));
        return true;
    }
}
