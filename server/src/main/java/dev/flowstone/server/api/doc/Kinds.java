package dev.flowstone.server.api.doc;

import dev.flowstone.engine.stuck.StuckKind;
import dev.flowstone.kernel.event.EventKinds;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Words that parameters take, where the code that they stand for has them. */
public final class Kinds {
    /** Of events. */
    public static final Set<String> OF_EVENTS = EventKinds.ALL;

    private Kinds() {}

    static List<String> ofStuck() {
        return Arrays.stream(StuckKind.values()).map(StuckKind::toString).toList();
    }
}
