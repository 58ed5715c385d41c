package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.effect.TaskAnswerMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/** A message answers an attempt that never was, of a run that may not exist. */
final class NonsenseAnswer implements Action {
    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        List<RunLog> runs = world.runs();
        if (runs.isEmpty()) {
            return false;
        }
        RunLog log = dice.pick(runs);

        TaskAnswerMessage answer = new TaskAnswerMessage(
                new ActivationId(new NodeId("n" + dice.below(3)), dice.between(1, 9)),
                dice.below(9),
                Answers.any(dice));
        RunKey run = dice.percent(70)
                ? log.run()
                : new RunKey(World.TENANT, RunId.of(world.now(), new Slot(dice.below(Slot.COUNT)), dice.anyLong()));
        world.network().send(answer.to(run, "nonsense", world.now()), world.now());
        return true;
    }
}
