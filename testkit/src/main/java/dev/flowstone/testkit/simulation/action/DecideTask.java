package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Optional;

/** People decide: in time, twice, at once with others, too late, on another version. */
final class DecideTask implements Action {
    @Override
    public int weight() {
        return 15;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<People.Asked> asked = People.any(world, dice);
        if (asked.isEmpty()) {
            return false;
        }
        RunLog log = asked.get().log();
        ActivationId task = asked.get().activation();
        boolean done = false;
        for (int people = dice.percent(30) ? 2 : 1; people > 0; people--) {
            Optional<Long> version = log.state().subjectVersion();
            HumanCommand.Decide decide = new HumanCommand.Decide(
                    dice.percent(95) ? task : new ActivationId(task.node(), task.visit() + 1),
                    new Outcome(dice.pick(List.of("yes", "yes", "no", "pass"))),
                    People.roles(dice),
                    dice.percent(10) ? Optional.of("u" + dice.below(4)) : Optional.empty(),
                    Optional.empty(),
                    dice.percent(95) ? version : Optional.of(99L),
                    dice.percent(15));
            done |= People.ask(world, dice, log.run(), decide, People.likely(log, task, dice));
        }
        return done;
    }
}
