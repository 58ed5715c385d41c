package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/** A node dies and comes back without the evaluator of one kind of policies: what asks one of those there is denied. */
final class EvaluatorMissing implements Fault {
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
        dice.pick(up).lackEvaluator(dice.millis(0, 5_000));
        return true;
    }
}
