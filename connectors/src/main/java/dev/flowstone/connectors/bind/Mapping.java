package dev.flowstone.connectors.bind;

import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Jackson, strict: nothing is taken for something else, nothing is left over. */
public final class Mapping {
    static final JsonMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .disable(EnumFeature.READ_ENUMS_USING_TO_STRING)
            .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING)
            .addModule(new SimpleModule().setDeserializers(new OptionalJson.Finder()))
            .build();

    private Mapping() {}

    /**
     * What an action gives, as the engine's JSON.
     *
     * @throws NoJsonException if it can't be written: a getter that throws, a circle, a type that Jackson doesn't know
     */
    public static JsonValue json(@Nullable Object value) throws NoJsonException {
        try {
            return JsonParser.parse(STRICT.writeValueAsBytes(value));
        } catch (JacksonException | JsonSyntaxException | StackOverflowError e) {
            throw new NoJsonException(String.valueOf(e.getMessage()), e);
        }
    }

    /** What an action gave is no JSON. */
    public static final class NoJsonException extends Exception {
        private static final long serialVersionUID = 1L;

        NoJsonException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
