package dev.flowstone.testkit.simulation.action;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** Somebody edits what runs are about, whether or not a node is up. */
final class EditSubject implements Action {
    @Override
    public int weight() {
        return 2;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return world.subjects().edit(dice);
    }
}
