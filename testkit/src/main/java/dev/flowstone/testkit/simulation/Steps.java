package dev.flowstone.testkit.simulation;

import dev.flowstone.testkit.simulation.action.Action;
import dev.flowstone.testkit.simulation.fault.Fault;
import dev.flowstone.testkit.simulation.progress.Progress;
import dev.flowstone.testkit.simulation.world.Coverage;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Step;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.stream.Stream;

/** Chooses what happens next. */
final class Steps {
    private static final List<Step> ALL = Stream.of(Progress.ALL, Action.ALL, Fault.ALL)
            .<Step>flatMap(List::stream)
            .toList();
    private static final int WEIGHT = ALL.stream().mapToInt(Step::weight).sum();

    /** Of what is meant to go wrong, how much does, in percent; some seeds are calmer, so that runs get further. */
    private final int faults;

    Steps(long seed) {
        this.faults = new Dice(seed, "faults").percent(50) ? 100 : 30;
    }

    /** Lets step number so-and-so happen. */
    void happen(World world, int number) {
        Dice dice = new Dice(world.seed(), "step", number);
        Step step = next(dice);
        if (step instanceof Fault && !dice.percent(faults)) {
            return;
        }
        world.trace().step(Integer.toString(number));
        if (step.happen(world, dice) && step instanceof Action) {
            world.coverage().count(Coverage.Sort.ACTION, step.name());
            world.say(step::name);
        }
    }

    private static Step next(Dice dice) {
        int left = dice.below(WEIGHT);
        for (Step step : ALL) {
            left -= step.weight();
            if (left < 0) {
                return step;
            }
        }
        throw new IllegalStateException("the weights don't add up");
    }
}
