package dev.flowstone.kernel.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value and its place in a document, for codecs: what isn't there or has another type raises {@link JsonShapeException}
 * with the value's JSON pointer, which is put together only then. JSON null is a value like others, never an absence.
 * Methods that take a name mean this object's member and refuse anything but an object.
 */
public final class JsonCursor {
    private final JsonValue value;
    private final @Nullable JsonCursor parent;
    private final String token;

    private JsonCursor(JsonValue value, @Nullable JsonCursor parent, String token) {
        this.value = value;
        this.parent = parent;
        this.token = token;
    }

    public static JsonCursor of(JsonValue document) {
        return new JsonCursor(document, null, "");
    }

    public JsonValue value() {
        return value;
    }

    /** The name or index by which this value is in its container; empty for the document. */
    public String token() {
        return token;
    }

    public JsonPointer pointer() {
        List<String> tokens = new ArrayList<>();
        JsonCursor at = this;
        while (at.parent != null) {
            tokens.add(at.token);
            at = at.parent;
        }
        return new JsonPointer(tokens.reversed());
    }

    /** A refusal of this value, for rules of the caller's own. */
    public JsonShapeException fault(String reason) {
        return new JsonShapeException(pointer().toString(), reason);
    }

    public JsonCursor member(String name) {
        JsonValue member = object().get(name);
        if (member == null) {
            throw fault("the member " + Hints.quoted(name) + " is missing");
        }
        return new JsonCursor(member, this, name);
    }

    public Optional<JsonCursor> find(String name) {
        JsonValue member = object().get(name);
        return member == null ? Optional.empty() : Optional.of(new JsonCursor(member, this, name));
    }

    /** Every member, in the document's order; {@link #token} is its name. */
    public List<JsonCursor> members() {
        List<JsonCursor> members = new ArrayList<>();
        for (Map.Entry<String, JsonValue> member : object().members().entrySet()) {
            members.add(new JsonCursor(member.getValue(), this, member.getKey()));
        }
        return members;
    }

    /** Refuses members with other names, naming the first of them. */
    public JsonCursor only(Set<String> names) {
        for (String name : object().members().keySet()) {
            if (!names.contains(name)) {
                throw member(name).fault("no such member is known here");
            }
        }
        return this;
    }

    public List<JsonCursor> items() {
        List<JsonValue> values = array().items();
        List<JsonCursor> items = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            items.add(new JsonCursor(values.get(i), this, Integer.toString(i)));
        }
        return items;
    }

    public <T> List<T> list(Function<? super JsonCursor, ? extends T> read) {
        List<T> list = new ArrayList<>();
        for (JsonCursor item : items()) {
            list.add(read.apply(item));
        }
        return List.copyOf(list);
    }

    public <T> List<T> list(String name, Function<? super JsonCursor, ? extends T> read) {
        return member(name).list(read);
    }

    /** This string, read by a constructor or parser; an {@link IllegalArgumentException} of its gets this place. */
    public <T> T as(Function<? super String, ? extends T> parse) {
        String text = string();
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            JsonShapeException fault = fault(String.valueOf(e.getMessage()));
            fault.initCause(e);
            throw fault;
        }
    }

    public <T> T as(String name, Function<? super String, ? extends T> parse) {
        return member(name).as(parse);
    }

    public String string() {
        if (value instanceof JsonString string) {
            return string.value();
        }
        throw expected("a string");
    }

    public String string(String name) {
        return member(name).string();
    }

    public boolean bool() {
        if (value instanceof JsonBoolean bool) {
            return bool.value();
        }
        throw expected("true or false");
    }

    public boolean bool(String name) {
        return member(name).bool();
    }

    public long longValue() {
        if (value instanceof JsonNumber number && number.isLong()) {
            return number.longValue();
        }
        throw expected("an integer of at most 64 bits");
    }

    public long longValue(String name) {
        return member(name).longValue();
    }

    public int intValue() {
        long wide = longValue();
        if (wide == (int) wide) {
            return (int) wide;
        }
        throw expected("an integer of at most 32 bits");
    }

    public int intValue(String name) {
        return member(name).intValue();
    }

    public JsonObject object() {
        if (value instanceof JsonObject object) {
            return object;
        }
        throw expected("an object");
    }

    public JsonArray array() {
        if (value instanceof JsonArray array) {
            return array;
        }
        throw expected("an array");
    }

    private JsonShapeException expected(String expected) {
        String found = switch (value) {
            case JsonString string -> "the string " + Hints.quoted(string.value());
            case JsonNumber number -> "the number " + Hints.cut(number.toString());
            case JsonBoolean bool -> bool.value() ? "true" : "false";
            case JsonNull ignored -> "null";
            case JsonObject ignored -> "an object";
            case JsonArray ignored -> "an array";
        };
        return fault("expected " + expected + ", found " + found);
    }
}
