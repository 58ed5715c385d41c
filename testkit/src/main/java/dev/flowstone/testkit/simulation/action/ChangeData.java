package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Map;
import java.util.Optional;

/** Somebody writes variables of a run, or its subject changes. */
final class ChangeData implements Action {
    @Override
    public int weight() {
        return 4;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        // Where people are asked a change matters most.
        Optional<RunLog> found = Operators.run(
                world,
                dice,
                log -> dice.percent(30) || !log.state().humanTasks().isEmpty());
        if (found.isEmpty()) {
            return false;
        }
        RunLog log = found.get();
        // Those of a bound run are told by edits.
        DataCommand command = dice.percent(50) || log.state().subject().isPresent()
                ? new DataCommand.SetVariables(
                        Map.of("v0", new JsonString(dice.percent(50) ? "one" : "two")), "why not")
                : new DataCommand.SubjectChanged(
                        log.state().subjectVersion().orElse(0L) + dice.below(3), dice.percent(40));
        return People.ask(world, dice, log.run(), command, People.anybody(dice));
    }
}
