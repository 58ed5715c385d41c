package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Optional;

/** An operator lets a run go on; mostly one that is held. */
final class ResumeRun implements Action {
    @Override
    public int weight() {
        return 5;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<RunLog> log = Operators.run(world, dice, one -> one.state().hold() != Hold.NONE);
        return Operators.areAbout(world)
                && log.isPresent()
                && Operators.ask(world, dice, log.get(), new ControlCommand.ResumeRun("go on"));
    }
}
