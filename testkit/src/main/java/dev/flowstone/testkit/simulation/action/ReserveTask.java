package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.state.Claim;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Optional;

/** Somebody claims a task, works on it, or gives it back; some do one after the other. */
final class ReserveTask implements Action {
    @Override
    public int weight() {
        return 25;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<People.Asked> asked = People.any(world, dice);
        if (asked.isEmpty()) {
            return false;
        }
        RunLog log = asked.get().log();
        ActivationId task = asked.get().activation();
        Optional<Actor> holder = log.state()
                .humanTask(task)
                .flatMap(open -> Optional.ofNullable(open.task().claim()))
                .map(Claim::by)
                .filter(_ -> dice.percent(70));
        Actor actor = holder.orElseGet(() -> People.likely(log, task, dice));
        boolean done =
                holder.isEmpty() && dice.percent(85) && People.ask(world, dice, log.run(), claim(task, dice), actor);
        if (dice.percent(done ? 65 : 50)) {
            done |= People.ask(
                    world, dice, log.run(), new HumanCommand.Heartbeat(task, dice.millis(1_000, 30_000)), actor);
        }
        if (dice.percent(done ? 65 : 50)) {
            done |= People.ask(world, dice, log.run(), new HumanCommand.Release(task, dice.percent(20)), actor);
        }
        return done;
    }

    private static HumanCommand claim(ActivationId task, Dice dice) {
        return new HumanCommand.Claim(task, People.roles(dice), dice.millis(1_000, 30_000), dice.percent(20));
    }
}
