package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.state.TimerState;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Optional;

/** Somebody doesn'\''t wait until a timer is due. */
final class ForceTimer implements Action {
    @Override
    public int weight() {
        return 4;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<RunLog> log =
                Operators.run(world, dice, one -> !one.state().timers().isEmpty());
        if (!Operators.areAbout(world) || log.isEmpty()) {
            return false;
        }
        List<TimerState> timers = log.get().state().timers();
        TimerId timer = timers.isEmpty() || dice.percent(5)
                ? new TimerId("n0#1")
                : dice.pick(timers).timer();
        return Operators.ask(world, dice, log.get(), new ControlCommand.ForceFireTimer(timer));
    }
}
