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
import java.util.stream.Stream;

/** Everything that has to happen in a simulation, taken from the sealed interfaces: a new kind is demanded by itself. */
final class Kinds {
    private static final Map<Coverage.Sort, Class<?>> SEALED = new EnumMap<>(Map.of(
            Coverage.Sort.NODE, Node.class,
            Coverage.Sort.COMMAND, Command.class,
            Coverage.Sort.EVENT, EventBody.class,
            Coverage.Sort.FAULT, Fault.class,
            Coverage.Sort.ACTION, Action.class));

    /** What isn't played, and why. */
    private static final Map<String, String> EXEMPT = Map.of(
            "LinkResources", "simulated tasks make nothing that others could find yet",
            "ResourceClaimed", "simulated tasks make nothing that others could find yet",
            "ResourceSettled", "simulated tasks make nothing that others could find yet",
            "ResourceLinked", "simulated tasks make nothing that others could find yet",
            "ResourceFound", "simulated tasks make nothing that others could find yet",
            "MigrateRun", "nobody moves runs to other programs here yet",
            "Migrated", "nobody moves runs to other programs here yet",
            "StartFrom", "nobody begins runs at a point of another one's past here yet",
            "RunReset", "nobody begins runs at a point of another one's past here yet");

    private Kinds() {}

    /** The names of one sort. */
    static List<String> of(Coverage.Sort sort) {
        Class<?> sealed = SEALED.get(sort);
        return sealed == null
                ? List.of()
                : flat(sealed)
                        .map(Class::getSimpleName)
                        .filter(name -> !EXEMPT.containsKey(name))
                        .sorted()
                        .toList();
    }

    /** A sealed interface among the permitted ones stands for those that it permits. */
    private static Stream<Class<?>> flat(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .flatMap(one -> one.isSealed() ? flat(one) : Stream.of(one));
    }
}
