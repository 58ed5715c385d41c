package dev.flowstone.server.api.doc;

import dev.flowstone.engine.stuck.StuckKind;
import dev.flowstone.kernel.event.EventBody;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Words that parameters take, where the code that they stand for has them. */
public final class Kinds {
    /** Of events: taken from the sealed interfaces, so that a new kind is known by itself. */
    public static final Set<String> OF_EVENTS = of(EventBody.class).collect(Collectors.toCollection(TreeSet::new));

    private Kinds() {}

    static List<String> ofStuck() {
        return Arrays.stream(StuckKind.values()).map(StuckKind::toString).toList();
    }

    private static Stream<String> of(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .flatMap(one -> one.isSealed() ? of(one) : Stream.of(one.getSimpleName()));
    }
}
