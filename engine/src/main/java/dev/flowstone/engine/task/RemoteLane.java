package dev.flowstone.engine.task;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * What waits for workers of one action in one tenant, in order, and the workers that wait for it, in order. Belongs to
 * whoever holds the lock of {@link RemoteTasks}.
 */
final class RemoteLane {
    private final SequencedSet<RemoteEntry> waiting = new LinkedHashSet<>();
    private final SequencedSet<Condition> workers = new LinkedHashSet<>();

    void add(RemoteEntry entry) {
        waiting.add(entry);
        wake();
    }

    boolean remove(RemoteEntry entry) {
        return waiting.remove(entry);
    }

    @Nullable
    RemoteEntry poll() {
        Iterator<RemoteEntry> first = waiting.iterator();
        if (!first.hasNext()) {
            return null;
        }
        RemoteEntry entry = first.next();
        first.remove();
        return entry;
    }

    void join(Condition worker) {
        workers.add(worker);
    }

    void leave(Condition worker) {
        workers.remove(worker);
    }

    /** Wakes the worker that has waited longest, if there is something for it. It leaves the line. */
    void wake() {
        if (!waiting.isEmpty() && !workers.isEmpty()) {
            workers.removeFirst().signal();
        }
    }

    /** There will be nothing more. */
    void wakeAll() {
        workers.forEach(Condition::signal);
        workers.clear();
    }

    boolean isEmpty() {
        return waiting.isEmpty() && workers.isEmpty();
    }
}
