package dev.flowstone.server.log;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * For whom runs were started, in memory: of so many runs of this process that were asked about last. Of one that began in another
 * process nothing is known. The log's formatters stand beside the engine, so there is one for the process. Thread-safe.
 */
final class Requesters {
    private static final int MOST = 20_000;

    private static final Map<String, Requester> KNOWN = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Requester> eldest) {
            return size() > MOST;
        }
    };

    private Requesters() {}

    /**
     * For whom a run was started.
     *
     * @param email where the log may hold it
     */
    record Requester(String id, Optional<String> email) {
        Requester {
            requireNonNull(id);
            requireNonNull(email);
        }
    }

    static void put(String run, Requester requester) {
        synchronized (KNOWN) {
            KNOWN.put(run, requester);
        }
    }

    static Optional<Requester> find(@Nullable String run) {
        if (run == null) {
            return Optional.empty();
        }
        synchronized (KNOWN) {
            return Optional.ofNullable(KNOWN.get(run));
        }
    }
}
