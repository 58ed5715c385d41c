package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Optional;

/** An operator begins a run at a point of another one's past, any point; asks again; or names one that never was. */
final class ResetRun implements Action {
    private static final int MOST = 3;

    @Override
    public int weight() {
        return 2;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        List<ResetRequest> before = world.clients().resets();
        if (!Operators.areAbout(world) || world.runs().isEmpty()) {
            return false;
        }
        if (before.size() >= MOST) {
            return asks(world, dice, dice.pick(before));
        }
        RunLog log = dice.pick(world.runs());
        long last = log.state().lastSequence();
        return asks(
                world,
                dice,
                new ResetRequest(
                        World.TENANT,
                        log.run().run(),
                        dice.percent(95) ? 1 + dice.below((int) last) : last + dice.between(1, 3),
                        dice.percent(60) ? Optional.of("reset-" + dice.below(3)) : Optional.empty(),
                        new Actor("user", "operator"),
                        "again" + before.size() + "-" + log.state().correlation()));
    }

    private static boolean asks(World world, Dice dice, ResetRequest request) {
        List<SimulatedNode> up =
                world.nodes().stream().filter(SimulatedNode::runs).toList();
        if (up.isEmpty()) {
            return false;
        }
        world.clients().reset(dice.pick(up), request);
        return true;
    }
}
