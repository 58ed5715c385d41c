package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.state.Claim;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Optional;

/** Somebody claims a task, works on it, or gives it back. */
final class ReserveTask implements Action {
    @Override
    public int weight() {
        return 11;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<People.Asked> asked = People.any(world, dice);
        if (asked.isEmpty()) {
            return false;
        }
        RunLog log = asked.get().log();
        ActivationId task = asked.get().activation();
        // Mostly the one who has claimed it.
        Actor actor = log.state()
                .humanTask(task)
                .flatMap(open -> Optional.ofNullable(open.task().claim()))
                .map(Claim::by)
                .filter(_ -> dice.percent(70))
                .orElseGet(() -> People.anybody(dice));
        HumanCommand command = switch (dice.below(10)) {
            case 0, 1, 2 -> new HumanCommand.Heartbeat(task, dice.millis(1_000, 30_000));
            case 3, 4, 5 -> new HumanCommand.Release(task, dice.percent(20));
            default -> new HumanCommand.Claim(task, People.roles(dice), dice.millis(1_000, 30_000), dice.percent(20));
        };
        return People.ask(world, dice, log.run(), command, actor);
    }
}
