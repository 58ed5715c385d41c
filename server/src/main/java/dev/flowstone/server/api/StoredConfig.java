package dev.flowstone.server.api;

import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;
import java.util.function.Function;

/** Configurations of triggers, as far as this node can read them: one that has other time zones, or a later release, may have written them. */
final class StoredConfig {
    private StoredConfig() {}

    static <T> Optional<T> of(Trigger trigger, Function<JsonObject, T> reading) {
        try {
            return Optional.of(reading.apply(trigger.config()));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }
}
