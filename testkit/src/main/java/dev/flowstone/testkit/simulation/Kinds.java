package dev.flowstone.testkit.simulation;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.testkit.simulation.action.Action;
import dev.flowstone.testkit.simulation.fault.Fault;
import dev.flowstone.testkit.simulation.world.Coverage;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Everything that has to happen in a simulation, taken from the sealed interfaces: a new kind is demanded by itself. */
final class Kinds {
    private static final Map<Coverage.Sort, Class<?>> SEALED = new EnumMap<>(Map.of(
            Coverage.Sort.NODE, Node.class,
            Coverage.Sort.COMMAND, Command.class,
            Coverage.Sort.EVENT, EventBody.class,
            Coverage.Sort.FAULT, Fault.class,
            Coverage.Sort.ACTION, Action.class));

    private Kinds() {}

    /** The names of one sort. */
    static List<String> of(Coverage.Sort sort) {
        Class<?> sealed = SEALED.get(sort);
        return sealed == null
                ? List.of()
                : Arrays.stream(sealed.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .sorted()
                        .toList();
    }
}
