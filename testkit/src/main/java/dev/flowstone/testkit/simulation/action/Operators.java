package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Those who hold runs, end them and take them back. In some seeds they keep their hands off, so that runs get further. */
final class Operators {
    private static final Actor OPERATOR = new Actor("user", "operator");

    private Operators() {}

    /** Whether they do anything in this seed. */
    static boolean areAbout(World world) {
        return new Dice(world.seed(), "operators").percent(60);
    }

    /** A run by chance: mostly one that fits, now and then any, a finished one too. */
    static Optional<RunLog> run(World world, Dice dice, Predicate<RunLog> fits) {
        List<RunLog> runs = world.runs();
        List<RunLog> fitting = new ArrayList<>(runs);
        fitting.removeIf(fits.negate());
        List<RunLog> from = fitting.isEmpty() || dice.percent(10) ? runs : fitting;
        return from.isEmpty() ? Optional.empty() : Optional.of(dice.pick(from));
    }

    /** One that isn't over. */
    static Optional<RunLog> live(World world, Dice dice) {
        return run(world, dice, log -> !log.state().status().isFinal());
    }

    static boolean ask(World world, Dice dice, RunLog log, ControlCommand command) {
        return People.ask(world, dice, log.run(), command, OPERATOR);
    }

    static HoldPolicy policy(Dice dice) {
        return new HoldPolicy(
                dice.percent(50) ? HoldPolicy.TimerRule.FREEZE : HoldPolicy.TimerRule.CATCH_UP,
                dice.percent(65) ? HoldPolicy.InputRule.BUFFER : HoldPolicy.InputRule.REJECT);
    }
}
