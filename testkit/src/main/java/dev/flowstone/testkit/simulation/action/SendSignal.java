package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Signals;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Optional;

/** A signal from outside: early, named, for all, for nobody. */
final class SendSignal implements Action {
    @Override
    public int weight() {
        return 8;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        String key = "k" + dice.below(2);
        RunId channel = Aggregates.channel(World.TENANT, Signals.TYPE, key);
        Command signal = new Command.SendSignal(
                World.TENANT,
                channel,
                Signals.TYPE,
                key,
                Payload.of(JsonNumber.of(dice.below(9))),
                dice.percent(30) ? Optional.of("o" + dice.below(3)) : Optional.empty(),
                dice.percent(25),
                dice.millis(0, 60_000));
        return People.ask(world, dice, new RunKey(World.TENANT, channel), signal, People.anybody(dice));
    }
}
