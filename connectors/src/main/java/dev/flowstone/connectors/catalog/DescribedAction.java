package dev.flowstone.connectors.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.ActionSpec;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

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

    /** By a name and a text; the rest is said of what it answers. */
    public static ActionSpec.Builder<JsonNode, JsonNode> named(String id, String name, String text) {
        return ActionSpec.of(id, JsonNode.class, JsonNode.class).described(name, text);
    }

    public static DescribedAction of(ActionSpec.Builder<?, ?> action, String parameters, String outputs) {
        return of(action.parameterSchema(parameters).outputSchema(outputs).build());
    }

    private static JsonObject schema(Optional<String> given) {
        return given.map(SchemaText::read).orElse(JsonObject.EMPTY);
    }
}
