package dev.flowstone.kernel.event;

import java.util.HashSet;
import java.util.Set;

/** All kinds of events, those of families included. */
public final class EventKinds {
    private EventKinds() {}

    public static Set<Class<?>> all() {
        return of(EventBody.class);
    }

    public static Set<Class<?>> of(Class<?> family) {
        Set<Class<?>> kinds = new HashSet<>();
        for (Class<?> kind : family.getPermittedSubclasses()) {
            if (kind.isInterface()) {
                kinds.addAll(of(kind));
            } else {
                kinds.add(kind);
            }
        }
        return kinds;
    }
}
