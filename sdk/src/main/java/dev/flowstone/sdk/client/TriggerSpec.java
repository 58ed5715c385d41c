package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a trigger is to be. To change one, what is left out stays as it is.
 *
 * @param config what is particular to its type (docs/triggers.md): JSON, or whatever Jackson makes JSON of
 * @param activationCondition what must be true of {@code trigger}; an empty text for none
 * @param enabled whether it is on; a new one is, if this is left out
 */
public record TriggerSpec(@Nullable Object config, Optional<String> activationCondition, Optional<Boolean> enabled) {
    /** Nothing is said. */
    public static final TriggerSpec EMPTY = new TriggerSpec(null, Optional.empty(), Optional.empty());

    public TriggerSpec {
        requireNonNull(activationCondition);
        requireNonNull(enabled);
    }

    /** A schedule by the clock of a time zone, such as {@code 0 9 * * MON-FRI} in {@code Europe/Berlin}. */
    public static TriggerSpec schedule(String cron, String timeZone) {
        ObjectNode config = JsonNodeFactory.instance.objectNode();
        return EMPTY.withConfig(config.put("cron", cron).put("timeZone", timeZone));
    }

    public TriggerSpec withConfig(Object value) {
        return new TriggerSpec(value, activationCondition, enabled);
    }

    public TriggerSpec withCondition(String expression) {
        return new TriggerSpec(config, Optional.of(expression), enabled);
    }

    public TriggerSpec withEnabled(boolean on) {
        return new TriggerSpec(config, activationCondition, Optional.of(on));
    }

    Body body(Caller caller) {
        JsonNode none = JsonNodeFactory.instance.nullNode();
        return new Body()
                .put("config", Optional.ofNullable(config).map(caller::tree))
                .put("activationCondition", activationCondition.map(it -> it.isEmpty() ? none : (Object) it))
                .put("isEnabled", enabled);
    }
}
