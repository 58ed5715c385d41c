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
        tasks(program).forEach(task -> addAll(names, task));
        return names;
    }

    private static void addAll(SortedSet<HandlerName> names, Node.Task task) {
        names.add(task.handler());
        task.compensation().ifPresent(undo -> {
            if (undo instanceof Compensation.ByHandler by) {
                names.add(by.handler());
            }
        });
    }

    /** Those that a node calls, to do and to undo; none if there is no such node. */
    public static SortedSet<HandlerName> at(Program program, String node) {
        SortedSet<HandlerName> names = new TreeSet<>();
        tasks(program).stream().filter(task -> task.id().value().equals(node)).forEach(task -> addAll(names, task));
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
