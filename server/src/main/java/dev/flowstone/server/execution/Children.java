package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent.ChildControlled;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.id.RunId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Folds a run's events, told in order, into whom it called, and keeps those in a window. Not thread-safe. */
public final class Children {
    private final Window window;
    private final Map<RunId, Child> kept = new LinkedHashMap<>();

    /** An empty fold. */
    public Children(Window window) {
        this.window = requireNonNull(window);
    }

    /** In the order in which they were called. */
    public List<Child> all() {
        return List.copyOf(kept.values());
    }

    /** Whether there are later ones than those kept. */
    public boolean more() {
        return window.more();
    }

    /** Takes the next event in. */
    public void add(Event event) {
        if (event.body() instanceof ChildStarted it && window.takes(event.sequence())) {
            kept.put(it.child(), Child.started(event, it));
        } else {
            hear(kept, event);
        }
    }

    /** What a caller's event says of those that it called before. */
    static void hear(Map<RunId, Child> known, Event event) {
        if (event.body() instanceof ChildEnded it) {
            known.computeIfPresent(it.child(), (id, child) -> child.ended(it));
        } else if (event.body() instanceof ChildControlled it) {
            switch (it.operation()) {
                case CANCEL, TERMINATE, DETACH -> known.computeIfPresent(it.child(), (id, child) -> child.unexpected());
                case SUSPEND, RESUME -> {}
            }
        }
    }
}
