package dev.flowstone.connectors.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.ActionSpec;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/** An action that isn't on the SPI, as one that is would describe itself: whoever brings it along says so. */
public record DescribedAction(ActionSpec<?, ?> spec, JsonObject parameterSchema, JsonObject outputSchema) {
    public DescribedAction {
        requireNonNull(spec);
        requireNonNull(parameterSchema);
        requireNonNull(outputSchema);
    }

    /** By the schemas that it gives. */
    public static DescribedAction of(ActionSpec<?, ?> spec) {
        return new DescribedAction(spec, schema(spec.parameterSchema()), schema(spec.outputSchema()));
    }

    private static JsonObject schema(Optional<String> given) {
        return given.map(SchemaText::read).orElse(JsonObject.EMPTY);
    }
}
