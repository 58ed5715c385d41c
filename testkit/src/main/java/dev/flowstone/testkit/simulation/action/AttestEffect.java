package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.state.Attestation;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Optional;

/** A person says what was done about what the engine can't undo; twice, or when nobody asked, as well. */
final class AttestEffect implements Action {
    @Override
    public int weight() {
        return 5;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<RunLog> log =
                Operators.run(world, dice, one -> !one.state().attestations().isEmpty());
        if (log.isEmpty()) {
            return false;
        }
        List<Attestation> asked = log.get().state().attestations();
        String id = asked.isEmpty() ? "n0#-1" : dice.pick(asked).id();
        return People.ask(world, dice, log.get().run(), new HumanCommand.Attest(id, "by hand"), People.anybody(dice));
    }
}
