package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;

/** What an await waits for (R20). */
public sealed interface Source {
    /**
     * One signal of a channel.
     *
     * @param type of the signal
     * @param key a template that renders to the correlation key, a text
     */
    record Channel(String type, JsonValue key) implements Source {
        public Channel {
            requireNonNull(type);
            requireNonNull(key);
        }
    }

    /**
     * Permits of a semaphore.
     *
     * @param semaphore a template that renders to its name, unique in the tenant
     * @param limit how many permits it has; the newest definition counts
     * @param permits how many are wanted
     * @param lease how long they are held at most; then they come back by themselves
     */
    record Permit(JsonValue semaphore, int limit, int permits, Duration lease) implements Source {
        public Permit {
            requireNonNull(semaphore);
            requireNonNull(lease);
            if (permits < 1 || permits > limit) {
                throw new IllegalArgumentException(permits + " permits of a semaphore that has " + limit);
            }
        }
    }
}
