package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Optional;

/** An operator cancels a run, and has it undone or not. */
final class CancelRun implements Action {
    @Override
    public int weight() {
        return 3;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<RunLog> log = Operators.live(world, dice);
        if (!Operators.areAbout(world) || log.isEmpty()) {
            return false;
        }
        ControlCommand.Undo undo = dice.percent(70) ? ControlCommand.Undo.RUN : ControlCommand.Undo.SKIP;
        Optional<RunId> superseding =
                dice.percent(20) ? Optional.of(dice.pick(world.runs()).run().run()) : Optional.empty();
        return Operators.ask(world, dice, log.get(), new ControlCommand.CancelRun("enough", undo, superseding));
    }
}
