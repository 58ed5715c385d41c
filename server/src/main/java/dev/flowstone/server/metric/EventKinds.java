package dev.flowstone.server.metric;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.EventBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every kind of event with a number, so that a commit's are counted in an array. */
final class EventKinds {
    private static final Map<Class<?>, Integer> NUMBERS = new HashMap<>();
    private static final List<String> NAMES = new ArrayList<>();

    static {
        collect(EventBody.class);
    }

    private EventKinds() {}

    private static void collect(Class<?> type) {
        if (type.isRecord()) {
            NUMBERS.put(type, NAMES.size());
            NAMES.add(type.getSimpleName());
            return;
        }
        for (Class<?> sort : type.getPermittedSubclasses()) {
            collect(sort);
        }
    }

    static int size() {
        return NAMES.size();
    }

    static int number(EventBody event) {
        return requireNonNull(NUMBERS.get(event.getClass()), "every kind has a number");
    }

    static String name(int number) {
        return NAMES.get(number);
    }
}
