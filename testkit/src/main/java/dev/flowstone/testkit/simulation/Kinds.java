package dev.flowstone.testkit.simulation;

import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.testkit.simulation.action.Action;
import dev.flowstone.testkit.simulation.fault.Fault;
import dev.flowstone.testkit.simulation.world.Coverage;
import dev.flowstone.testkit.simulation.world.PolicyBook;
import dev.flowstone.testkit.simulation.world.RemoteWorker;
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
            Coverage.Sort.ACCEPTED, Command.class,
            Coverage.Sort.EVENT, EventBody.class,
            Coverage.Sort.FAULT, Fault.class,
            Coverage.Sort.ACTION, Action.class,
            Coverage.Sort.START, StartAnswer.class));

    private Kinds() {}

    /** The names of one sort. */
    static List<String> of(Coverage.Sort sort) {
        if (sort == Coverage.Sort.POLICY) {
            return Arrays.stream(PolicyBook.Outcome.values()).map(Enum::name).toList();
        }
        if (sort == Coverage.Sort.WORKER) {
            return Arrays.stream(RemoteWorker.Deed.values()).map(Enum::name).toList();
        }
        Class<?> sealed = SEALED.get(sort);
        return sealed == null
                ? List.of()
                : flat(sealed).map(Class::getSimpleName).sorted().toList();
    }

    /** A sealed interface among the permitted ones stands for those that it permits. */
    private static Stream<Class<?>> flat(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .flatMap(one -> one.isSealed() ? flat(one) : Stream.of(one));
    }
}
