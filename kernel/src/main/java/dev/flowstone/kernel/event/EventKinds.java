package dev.flowstone.kernel.event;

import java.util.Arrays;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The {@linkplain EventBody#kind kinds} of events that there are. */
public final class EventKinds {
    /** Taken from the sealed interfaces, so that a new kind is known by itself. */
    public static final SortedSet<String> ALL =
            Collections.unmodifiableSortedSet(of(EventBody.class).collect(Collectors.toCollection(TreeSet::new)));

    private EventKinds() {}

    private static Stream<String> of(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .flatMap(one -> one.isSealed() ? of(one) : Stream.of(one.getSimpleName()));
    }
}
