package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Move;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An operator moves a run to another version of its workflow, there or back, mostly with the right names; now and then without
 * them, to the version that it follows, to another workflow's, or to none.
 */
final class MoveRun implements Action {
    @Override
    public int weight() {
        return 6;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        // One that was moved is moved again: what it has forgotten may come back.
        Optional<RunLog> log = Operators.run(
                world, dice, one -> !one.state().status().isFinal() && (wasMoved(one) || dice.percent(50)));
        if (!Operators.areAbout(world) || log.isEmpty() || world.moves().isEmpty()) {
            return false;
        }
        Sha256 now = log.get().state().programHash();
        List<Move> fitting = world.moves().stream()
                .filter(move -> move.from().hash().equals(now))
                .toList();
        Move move = dice.pick(fitting.isEmpty() || dice.percent(5) ? world.moves() : fitting);
        Map<NodeId, NodeId> names = dice.percent(80) ? move.names() : Map.of();
        Sha256 to = dice.percent(3) ? Sha256.ZERO : move.to().hash();
        return Operators.ask(
                world,
                dice,
                log.get(),
                new ControlCommand.MigrateRun(to, move.to().version(), names));
    }

    private static boolean wasMoved(RunLog log) {
        return log.events().stream().map(Event::body).anyMatch(ControlEvent.Migrated.class::isInstance);
    }
}
