package dev.flowstone.testkit.simulation.action;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Optional;

/** An operator takes a run back: mostly to a node that it has completed, sometimes to where no way leads back. */
final class RollBackRun implements Action {
    @Override
    public int weight() {
        return 8;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Optional<RunLog> log = Operators.run(
                world,
                dice,
                one -> !one.state().status().isFinal() && canGoBack(one.state().program()));
        if (!Operators.areAbout(world) || log.isEmpty()) {
            return false;
        }
        List<NodeId> marks = completed(log.get());
        NodeId mark = marks.isEmpty() || dice.percent(10)
                ? dice.pick(log.get().state().program().nodes()).id()
                : dice.pick(marks);
        return Operators.ask(world, dice, log.get(), new ControlCommand.RollBack(mark, "again"));
    }

    private static boolean canGoBack(Program program) {
        return program.root().kind() == Scope.Kind.FLOW
                && program.nodes().stream()
                        .anyMatch(node -> node instanceof Node.Task task
                                && task.compensation().isPresent());
    }

    /** Nodes of the root scope that were completed, as often as they were. */
    private static List<NodeId> completed(RunLog log) {
        Program program = log.state().program();
        return log.events().stream()
                .map(Event::body)
                .filter(EventBody.Transitioned.class::isInstance)
                .map(body -> ((EventBody.Transitioned) body).activation().node())
                .filter(program::has)
                .filter(node -> program.node(node).scope().equals(program.root().id()))
                .toList();
    }
}
