package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ResourceLink;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.Things;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/** A process that works on an attempt links what it has made before it answers; now and then for an attempt that there isn't. */
final class LinkFromOutside implements Action {
    @Override
    public int weight() {
        return 3;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        List<RunLog> working = world.runs().stream()
                .filter(log -> log.state().hasOpenAttempts())
                .toList();
        if (working.isEmpty()) {
            return false;
        }
        RunLog log = dice.pick(working);
        Attempt attempt = dice.pick(log.state().openAttempts());
        ResourceLink link = new ResourceLink(Things.TYPE, Things.key(dice), Payload.of(JsonNumber.of(dice.below(100))));
        Command command = new Command.LinkResources(
                attempt.activation(), dice.percent(90) ? attempt.attempt() : attempt.attempt() + 1, List.of(link));
        return People.ask(world, dice, log.run(), command, new Actor("service", "worker"));
    }
}
