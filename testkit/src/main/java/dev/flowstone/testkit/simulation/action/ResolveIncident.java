package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Optional;

/** An operator decides what becomes of an incident: tried again, skipped, failed; some that were resolved already. */
final class ResolveIncident implements Action {
    @Override
    public int weight() {
        return 6;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<RunLog> log =
                Operators.run(world, dice, one -> !one.state().incidents().isEmpty());
        if (!Operators.areAbout(world) || log.isEmpty()) {
            return false;
        }
        List<Incident> open = log.get().state().incidents();
        long sequence = open.isEmpty() ? dice.between(1, 30) : dice.pick(open).sequence();
        return Operators.ask(world, dice, log.get(), resolution(sequence, dice));
    }

    private static ControlCommand resolution(long sequence, Dice dice) {
        Payload value = Payload.of(JsonNumber.of(dice.below(100)));
        return switch (dice.below(4)) {
            case 0 -> new ControlCommand.RetryIncident(sequence, Optional.of(value));
            case 1 -> new ControlCommand.RetryIncident(sequence, Optional.empty());
            case 2 -> new ControlCommand.SkipIncident(sequence, value);
            default -> new ControlCommand.FailIncident(sequence, TaskError.of("GIVEN_UP", "by an operator"));
        };
    }
}
