package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Optional;

/** An operator fails a run that can't go on. */
final class FailRun implements Action {
    @Override
    public int weight() {
        return 3;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<RunLog> log = Operators.live(world, dice);
        return Operators.areAbout(world)
                && log.isPresent()
                && Operators.ask(world, dice, log.get(), new ControlCommand.FailRun("it can't go on"));
    }
}
