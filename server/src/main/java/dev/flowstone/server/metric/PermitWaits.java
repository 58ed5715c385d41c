package dev.flowstone.server.metric;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.ActivationId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Since when runs wait for permits. At most so many, the oldest are forgotten; and of those that began before this process
 * had their shard nothing is known. Thread-safe.
 */
final class PermitWaits {
    private static final int MOST = 10_000;

    private final Map<Wait, Instant> since = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Wait, Instant> eldest) {
            return size() > MOST;
        }
    };

    private record Wait(RunKey run, ActivationId activation) {}

    synchronized void begin(RunKey run, ActivationId activation, Instant at) {
        since.put(new Wait(run, activation), at);
    }

    /** Since when it has waited; it waits no more. */
    synchronized Optional<Instant> end(RunKey run, ActivationId activation) {
        return Optional.ofNullable(since.remove(new Wait(run, activation)));
    }
}
