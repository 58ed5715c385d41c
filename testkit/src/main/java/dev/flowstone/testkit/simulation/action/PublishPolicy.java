package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.testkit.simulation.program.RandomPolicy;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** A policy gets its next version, or its first, while runs ask it. */
final class PublishPolicy implements Action {
    @Override
    public int weight() {
        return 4;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        PolicyName name = RandomPolicy.NAMES.get(dice.percent(6) ? 2 : dice.below(2));
        world.policies().publish(name, RandomPolicy.bundle(dice));
        return true;
    }
}
