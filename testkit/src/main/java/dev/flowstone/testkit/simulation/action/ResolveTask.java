package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Optional;

/** The system decides a task, or an attestation is given. */
final class ResolveTask implements Action {
    @Override
    public int weight() {
        return 5;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<People.Asked> asked = People.any(world, dice);
        if (asked.isEmpty()) {
            return false;
        }
        RunLog log = asked.get().log();
        ActivationId task = asked.get().activation();
        HumanCommand command = dice.percent(60)
                ? new HumanCommand.Resolve(task, new Outcome(dice.percent(50) ? "yes" : "no"), "overdue")
                : new HumanCommand.Attest("a" + dice.below(3), "done");
        return People.ask(world, dice, log.run(), command, new Actor("service", "sla"));
    }
}
