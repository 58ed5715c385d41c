package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Poison;
import dev.flowstone.testkit.simulation.world.Strikes;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;

/** A handler answers what the database can't store: bad data in one run of a batch. */
final class UnstorableOutput implements Fault {
    @Override
    public int weight() {
        return 7;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        world.poison().use();
        TaskResult bad = TaskResult.ok(new JsonString(Poison.WORD + "!".repeat(dice.below(400))));
        return dice.pick(world.nodes())
                .strikes()
                .onHandler(name(), result -> new Strikes.Call(bad, Duration.ZERO, false));
    }
}
