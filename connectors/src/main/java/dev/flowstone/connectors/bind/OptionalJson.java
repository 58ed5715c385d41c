package dev.flowstone.connectors.bind;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.module.SimpleDeserializers;
import tools.jackson.databind.type.ReferenceType;

/** Any JSON that may be left out: nothing and null are empty, as for every other type. Jackson's own makes a null that is there of both. */
final class OptionalJson extends ValueDeserializer<Optional<JsonNode>> {
    @Override
    public Optional<JsonNode> deserialize(JsonParser parser, DeserializationContext context) {
        return Optional.of(context.readTree(parser));
    }

    @Override
    public Optional<JsonNode> getNullValue(DeserializationContext context) {
        return Optional.empty();
    }

    @Override
    public Optional<JsonNode> getAbsentValue(DeserializationContext context) {
        return Optional.empty();
    }

    /** Finds it, and nothing else. */
    static final class Finder extends SimpleDeserializers {
        private static final long serialVersionUID = 1L;

        @Override
        public @Nullable ValueDeserializer<?> findReferenceDeserializer(
                ReferenceType type,
                DeserializationConfig config,
                BeanDescription.Supplier description,
                @Nullable TypeDeserializer typed,
                @Nullable ValueDeserializer<?> content) {
            return type.hasRawClass(Optional.class) && type.getContentType().hasRawClass(JsonNode.class)
                    ? new OptionalJson()
                    : null;
        }
    }
}
