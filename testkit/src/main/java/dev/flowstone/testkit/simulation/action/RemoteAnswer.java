package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.effect.TaskAnswerMessage;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Instant;
import java.util.List;

/** Another process answers an open attempt, by a message. */
final class RemoteAnswer implements Action {
    @Override
    public int weight() {
        return 5;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        List<RunLog> runs = world.runs();
        if (runs.isEmpty()) {
            return false;
        }
        RunLog log = dice.pick(runs);

        List<Attempt> open = log.state().openAttempts();
        if (open.isEmpty()) {
            return false;
        }
        Attempt attempt = dice.pick(open);
        TaskAnswerMessage answer = new TaskAnswerMessage(attempt.activation(), attempt.attempt(), Answers.any(dice));
        Instant arrives = world.now().plus(dice.millis(0, 3_000));
        world.network().send(answer.to(log.run(), "worker-" + dice.below(2), world.now()), arrives);
        return true;
    }
}
