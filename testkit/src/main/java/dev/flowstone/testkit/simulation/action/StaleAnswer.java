package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.effect.TaskAnswerMessage;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Instant;
import java.util.List;

/** An attempt that may have been answered long ago is answered again, in agreement or not. */
final class StaleAnswer implements Action {
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

        List<EventBody.TaskScheduled> scheduled = log.events().stream()
                .map(Event::body)
                .filter(EventBody.TaskScheduled.class::isInstance)
                .map(EventBody.TaskScheduled.class::cast)
                .toList();
        if (scheduled.isEmpty()) {
            return false;
        }
        EventBody.TaskScheduled attempt = dice.pick(scheduled);
        TaskAnswerMessage answer = new TaskAnswerMessage(attempt.activation(), attempt.attempt(), Answers.any(dice));
        Instant arrives = world.now().plus(dice.millis(0, 3_000));
        world.network().send(answer.to(log.run(), "stale-" + dice.below(3), world.now()), arrives);
        return true;
    }
}
