package dev.flowstone.server.trace;

import dev.flowstone.engine.journal.RunKey;
import io.opentelemetry.api.trace.SpanContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where runs are in their traces, in memory: of so many runs that moved last. One that is forgotten, or comes from another
 * node, goes on in a trace of its own. Thread-safe.
 */
final class Places {
    private static final int MOST = 20_000;

    private final Map<RunKey, Place> places = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunKey, Place> eldest) {
            return size() > MOST;
        }
    };

    /** Whether it holds any, without a lock: most often there are none. */
    private volatile boolean used;

    /**
     * Where one run is.
     *
     * @param root what it came from: its execution's span lies below it
     * @param now what it did last
     */
    record Place(SpanContext root, SpanContext now) {}

    @Nullable
    Place find(RunKey run) {
        if (!used) {
            return null;
        }
        synchronized (places) {
            return places.get(run);
        }
    }

    void put(RunKey run, Place place) {
        synchronized (places) {
            places.put(run, place);
        }
        used = true;
    }
}
