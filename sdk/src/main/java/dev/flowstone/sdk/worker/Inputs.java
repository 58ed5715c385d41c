package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Binding;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Makes of JSON what a handler wants. What can't be made of it fails the task for good, and says where. */
final class Inputs {
    private static final String CODE = "INPUT_MISMATCH";

    private Inputs() {}

    /**
     * The value, never null.
     *
     * @param what is read, such as {@code the input}
     */
    static Object read(String what, JsonNode json, JavaType type, JsonMapper mapper) throws TaskFailure {
        boolean takesNull = type.isReferenceType() || JsonNode.class.isAssignableFrom(type.getRawClass());
        if (json.isNull() && !takesNull) {
            throw TaskFailure.permanent(CODE, what + " is no " + type.toCanonical() + ": it is null, or not there");
        }
        try {
            return requireNonNull(mapper.treeToValue(json, type), "it became null");
        } catch (JacksonException e) {
            throw TaskFailure.permanent(CODE, what + " is " + Binding.said(type.toCanonical(), e));
        } catch (RuntimeException e) {
            // A deserializer of the user's has refused it.
            throw TaskFailure.permanent(CODE, what + " is no " + type.toCanonical() + ": " + e.getMessage());
        }
    }
}
