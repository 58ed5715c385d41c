package dev.flowstone.bench.torture.check;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A run as a node tells it at the end.
 *
 * @param status as REST calls it
 * @param requestId by which it was started
 * @param events all of them, in order
 */
public record RunSeen(String run, String workflow, String status, String requestId, List<Seen> events) {
    private static final String BEGINNING = "0".repeat(64);

    public RunSeen {
        requireNonNull(run);
        requireNonNull(workflow);
        requireNonNull(status);
        requireNonNull(requestId);
        events = List.copyOf(events);
    }

    /**
     * An event.
     *
     * @param key of the call that caused it, if it had one
     */
    public record Seen(
            long sequence, String kind, Optional<String> key, String previous, String hash, JsonObject body) {
        public Seen {
            requireNonNull(kind);
            requireNonNull(key);
            requireNonNull(previous);
            requireNonNull(hash);
            requireNonNull(body);
        }

        /** As REST tells it. */
        public static Seen of(JsonObject event) {
            JsonCursor at = JsonCursor.of(event);
            return new Seen(
                    at.longValue("sequence_number"),
                    at.string("kind"),
                    event.find("idempotency_key")
                            .filter(it -> !it.equals(JsonNull.NULL))
                            .map(it -> ((JsonString) it).value()),
                    at.string("prev_hash"),
                    at.string("hash"),
                    at.member("body").object());
        }

        /** Empty if it is about none. */
        public String activation() {
            return body.get("activation") instanceof JsonString(String activation) ? activation : "";
        }
    }

    /** Its events of that kind. */
    Stream<Seen> of(String kind) {
        return events.stream().filter(event -> event.kind().equals(kind));
    }

    /** Where its chain is broken, as it is told; empty if each event follows the one before. */
    Optional<String> broken() {
        String before = BEGINNING;
        long sequence = 0;
        for (Seen event : events) {
            sequence++;
            if (event.sequence() != sequence) {
                return Optional.of("event " + event.sequence() + " stands where " + sequence + " should");
            }
            if (!event.previous().equals(before)) {
                return Optional.of("event " + sequence + " doesn't follow the one before");
            }
            before = event.hash();
        }
        return Optional.empty();
    }
}
