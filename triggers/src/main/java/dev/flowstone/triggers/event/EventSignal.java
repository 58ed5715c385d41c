package dev.flowstone.triggers.event;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.Optional;

/**
 * A signal that an event trigger sends instead of starting an execution.
 *
 * @param key a template over {@code event}: which execution gets it
 */
public record EventSignal(String type, String key) {
    private static final String TYPE = "type";
    private static final String KEY = "key";

    public EventSignal {
        if (type.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException("a signal has a type and a key");
        }
    }

    /** That of a trigger's configuration, if it has one. */
    public static Optional<EventSignal> of(JsonObject config) {
        return config.get(EventRules.SIGNAL) instanceof JsonObject signal
                ? Optional.of(new EventSignal(text(signal, TYPE), text(signal, KEY)))
                : Optional.empty();
    }

    private static String text(JsonObject signal, String member) {
        return signal.get(member) instanceof JsonString(String text) ? text : "";
    }

    JsonObject toJson() {
        return JsonObject.builder().put(TYPE, type).put(KEY, key).build();
    }
}
