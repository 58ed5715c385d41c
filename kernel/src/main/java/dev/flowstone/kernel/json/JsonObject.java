package dev.flowstone.kernel.json;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A JSON object: members by unique name. Keeps the order in which they were written; equality ignores it. */
public final class JsonObject implements JsonValue {
    public static final JsonObject EMPTY = new JsonObject(Map.of());

    private final Map<String, JsonValue> members;

    private JsonObject(Map<String, JsonValue> members) {
        this.members = members;
    }

    /** Copies the map, in its iteration order. Refuses lone surrogates in names. */
    public static JsonObject of(Map<String, ? extends JsonValue> members) {
        members.forEach((name, value) -> {
            Utf8.requireEncodable("member name", name);
            requireNonNull(value);
        });
        return owning(new LinkedHashMap<>(members));
    }

    /** Takes a map over that nobody else holds, and whose names are known to have a UTF-8 form. */
    static JsonObject owning(Map<String, JsonValue> members) {
        return new JsonObject(Collections.unmodifiableMap(members));
    }

    /**
     * Wraps a map that never changes, without copying it; for persistent maps, which are immutable already. Its names are
     * not checked here: one with a lone surrogate fails when the object is written.
     */
    public static JsonObject view(Map<String, JsonValue> immutable) {
        return new JsonObject(immutable);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Unmodifiable. */
    public Map<String, JsonValue> members() {
        return members;
    }

    /** The member, or null if there is none (a member whose value is JSON null answers {@link JsonNull}). */
    public @Nullable JsonValue get(String name) {
        return members.get(name);
    }

    public Optional<JsonValue> find(String name) {
        return Optional.ofNullable(members.get(name));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonObject that && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return "JsonObject" + members;
    }

    /** Builds an object member by member; a name given twice keeps the last value. Not thread-safe. */
    public static final class Builder {
        private Map<String, JsonValue> members = new LinkedHashMap<>();
        private boolean handedOut;

        private Builder() {}

        public Builder put(String name, JsonValue value) {
            Utf8.requireEncodable("member name", name);
            if (handedOut) {
                members = new LinkedHashMap<>(members);
                handedOut = false;
            }
            members.put(name, requireNonNull(value));
            return this;
        }

        public Builder put(String name, String value) {
            return put(name, new JsonString(value));
        }

        public Builder put(String name, long value) {
            return put(name, JsonNumber.of(value));
        }

        public Builder put(String name, boolean value) {
            return put(name, JsonBoolean.of(value));
        }

        /** Adds the member only if there is a value; for values of any kind. */
        public Builder putValueIfPresent(String name, Optional<? extends JsonValue> value) {
            value.ifPresent(v -> put(name, v));
            return this;
        }

        /** Adds the member only if there is a value. */
        public Builder putIfPresent(String name, Optional<String> value) {
            value.ifPresent(present -> put(name, present));
            return this;
        }

        public JsonObject build() {
            handedOut = true;
            return JsonObject.owning(members);
        }
    }
}
