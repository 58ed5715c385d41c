package dev.flowstone.server.openapi;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of bodies, by name, read from {@code *.json}: each file has {@code answers} and {@code requests}. They are JSON
 * Schema, with what would be said everywhere left out. An object of an answer always has all its members but those in
 * {@code optional}. One of a request has no others than those that are named, and must have those in {@code required}.
 * {@code extends} names an answer whose members it has, too. {@code "#Name"} stands for a reference to that shape,
 * {@code "string?"} for a type that may be null. {@code page} of a shape makes the page of a list of it.
 */
final class Schemas {
    private static final List<String> FILES = List.of(
            "common",
            "workflows",
            "executions",
            "views",
            "control",
            "people",
            "workers",
            "outbox",
            "dead-letters",
            "events",
            "triggers",
            "templates",
            "catalog",
            "workflow-templates",
            "system");

    private static final String EXTENDS = "extends";
    private static final String OPTIONAL = "optional";
    private static final String PROPERTIES = "properties";
    private static final String REQUIRED = "required";

    private final Map<String, JsonValue> answers = new LinkedHashMap<>();
    private final Map<String, JsonValue> requests = new LinkedHashMap<>();

    private Schemas() {}

    /** All of them, by name, whole. */
    static Map<String, JsonValue> all() {
        Schemas schemas = new Schemas();
        for (String file : FILES) {
            JsonObject read = read(file + ".json");
            put(read, "answers", schemas.answers);
            put(read, "requests", schemas.requests);
        }
        Map<String, JsonValue> all = new TreeMap<>();
        schemas.answers.forEach((name, shape) -> all.put(name, schemas.whole(shape, false)));
        schemas.requests.forEach((name, shape) -> {
            if (all.put(name, schemas.whole(shape, true)) != null) {
                throw new IllegalStateException("two shapes are called " + name);
            }
        });
        return all;
    }

    private static void put(JsonObject file, String part, Map<String, JsonValue> shapes) {
        if (file.get(part) instanceof JsonObject named) {
            named.members().forEach((name, shape) -> {
                if (shapes.put(name, shape) != null) {
                    throw new IllegalStateException("two shapes are called " + name);
                }
            });
        }
    }

    private static JsonObject read(String file) {
        try (InputStream in = Schemas.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing beside the classes");
            }
            return (JsonObject) JsonParser.parse(in.readAllBytes(), JsonLimits.STORED);
        } catch (IOException | JsonSyntaxException e) {
            throw new IllegalStateException(file + " can't be read", e);
        }
    }

    /** With what is left out. */
    private JsonValue whole(JsonValue shape, boolean request) {
        return switch (shape) {
            case JsonString(String text) when text.startsWith("#") -> reference(text.substring(1));
            case JsonArray(List<JsonValue> items) ->
                new JsonArray(items.stream().map(item -> whole(item, request)).toList());
            case JsonObject object -> object(object, request);
            default -> shape;
        };
    }

    private JsonValue object(JsonObject shape, boolean request) {
        if (shape.get("page") instanceof JsonString(String name)) {
            return page(name);
        }
        JsonObject extended = extended(shape);
        Map<String, JsonValue> whole = new LinkedHashMap<>();
        extended.members().forEach((key, value) -> {
            switch (key) {
                case EXTENDS, OPTIONAL -> {}
                case "type" -> whole.put(key, type(value));
                case "enum", "const", "description", "pattern", REQUIRED -> whole.put(key, value);
                case "items", "additionalProperties" -> whole.put(key, property(value, request));
                case PROPERTIES -> whole.put(key, properties(value, request));
                default -> whole.put(key, whole(value, request));
            }
        });
        if (extended.get(PROPERTIES) instanceof JsonObject properties) {
            whole.putIfAbsent("type", new JsonString("object"));
            if (request) {
                whole.putIfAbsent("additionalProperties", JsonBoolean.of(false));
            } else {
                whole.putIfAbsent(REQUIRED, required(properties, extended.get(OPTIONAL)));
            }
        }
        return JsonObject.of(whole);
    }

    private JsonValue properties(JsonValue properties, boolean request) {
        Map<String, JsonValue> whole = new LinkedHashMap<>();
        ((JsonObject) properties).members().forEach((name, shape) -> whole.put(name, property(shape, request)));
        return JsonObject.of(whole);
    }

    /** A member's shape may be a type alone. */
    private JsonValue property(JsonValue shape, boolean request) {
        return shape instanceof JsonString(String text) && !text.startsWith("#")
                ? JsonObject.builder().put("type", type(shape)).build()
                : whole(shape, request);
    }

    private static JsonValue type(JsonValue type) {
        return type instanceof JsonString(String text) && text.endsWith("?")
                ? new JsonArray(List.of(new JsonString(text.substring(0, text.length() - 1)), new JsonString("null")))
                : type;
    }

    private static JsonObject reference(String name) {
        return JsonObject.builder().put("$ref", "#/components/schemas/" + name).build();
    }

    private static JsonArray required(JsonObject properties, @Nullable JsonValue optional) {
        Set<JsonValue> names = new LinkedHashSet<>();
        properties.members().keySet().forEach(name -> names.add(new JsonString(name)));
        if (optional instanceof JsonArray(List<JsonValue> items)) {
            for (JsonValue item : items) {
                if (!names.remove(item)) {
                    throw new IllegalStateException("optional, and no member: " + item);
                }
            }
        }
        return new JsonArray(List.copyOf(names));
    }

    /** With the members of what it extends before its own. */
    private JsonObject extended(JsonObject shape) {
        if (!(shape.get(EXTENDS) instanceof JsonString(String name))) {
            return shape;
        }
        JsonObject base = extended((JsonObject) requireNonNull(answers.get(name), name));
        Map<String, JsonValue> merged = new LinkedHashMap<>(base.members());
        merged.putAll(shape.members());
        Map<String, JsonValue> properties =
                new LinkedHashMap<>(((JsonObject) base.find(PROPERTIES).orElseThrow()).members());
        if (shape.get(PROPERTIES) instanceof JsonObject own) {
            properties.putAll(own.members());
        }
        merged.put(PROPERTIES, JsonObject.of(properties));
        List<JsonValue> optional = new ArrayList<>(items(base.get(OPTIONAL)));
        optional.addAll(items(shape.get(OPTIONAL)));
        merged.put(OPTIONAL, new JsonArray(optional));
        return JsonObject.of(merged);
    }

    private static List<JsonValue> items(@Nullable JsonValue array) {
        return array instanceof JsonArray(List<JsonValue> items) ? items : List.of();
    }

    private static JsonObject page(String of) {
        JsonObject items = JsonObject.builder()
                .put("type", "array")
                .put("items", reference(of))
                .build();
        JsonObject next = JsonObject.builder()
                .put("type", new JsonArray(List.of(new JsonString("string"), new JsonString("null"))))
                .put("description", "The `cursor` of the following page; null at the end.")
                .build();
        return JsonObject.builder()
                .put("type", "object")
                .put("description", "A page.")
                .put(REQUIRED, new JsonArray(List.of(new JsonString("items"), new JsonString("next"))))
                .put(
                        PROPERTIES,
                        JsonObject.builder()
                                .put("items", items)
                                .put("next", next)
                                .build())
                .build();
    }
}
