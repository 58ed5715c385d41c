package dev.flowstone.testkit.scenario.program;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a program calls. */
public final class Handlers {
    private Handlers() {}

    /** Every handler that it names, those that undo included. */
    public static SortedSet<HandlerName> of(Program program) {
        SortedSet<HandlerName> names = new TreeSet<>();
        for (Node.Task task : tasks(program)) {
            names.add(task.handler());
            task.compensation().ifPresent(undo -> {
                if (undo instanceof Compensation.ByHandler by) {
                    names.add(by.handler());
                }
            });
        }
        return names;
    }

    /** The nodes that call any. */
    public static List<NodeId> callers(Program program) {
        return tasks(program).stream().map(Node.Task::id).toList();
    }

    private static List<Node.Task> tasks(Program program) {
        return program.nodes().stream()
                .filter(Node.Task.class::isInstance)
                .map(Node.Task.class::cast)
                .toList();
    }
}
