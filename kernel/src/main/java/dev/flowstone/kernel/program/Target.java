package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.Optional;

/** Where an emit sends to (R20). */
public sealed interface Target {
    /**
     * A signal to one await; kept for a while if nobody waits yet.
     *
     * @param type of the signal
     * @param key a template that renders to the correlation key, a text
     * @param payload a template
     * @param dedupe a template that renders to a text under which a repetition is dropped; empty: the activation's key
     * @param timeToLive how long it is kept for an await that comes later
     */
    record Channel(String type, JsonValue key, JsonValue payload, Optional<JsonValue> dedupe, Duration timeToLive)
            implements Target {
        public Channel {
            requireNonNull(type);
            requireNonNull(key);
            requireNonNull(payload);
            requireNonNull(dedupe);
            requireNonNull(timeToLive);
        }
    }

    /** A signal once to each await that waits now. */
    record Broadcast(String type, JsonValue key, JsonValue payload) implements Target {
        public Broadcast {
            requireNonNull(type);
            requireNonNull(key);
            requireNonNull(payload);
        }
    }

    /** The permits that an await of this run got in the scope instance are given back. */
    record Release(NodeId await) implements Target {
        public Release {
            requireNonNull(await);
        }
    }
}
