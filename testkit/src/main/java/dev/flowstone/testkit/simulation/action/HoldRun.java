package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Optional;

/** An operator suspends a run, with every policy; one that is suspended, undoing, or over as well. */
final class HoldRun implements Action {
    @Override
    public int weight() {
        return 4;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<RunLog> log = Operators.live(world, dice);
        return Operators.areAbout(world)
                && log.isPresent()
                && Operators.ask(
                        world,
                        dice,
                        log.get(),
                        new ControlCommand.SuspendRun(
                                Operators.policy(dice), "stop", dice.percent(80) ? "run" : "type/w0"));
    }
}
