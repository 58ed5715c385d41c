package dev.flowstone.templates.workflow;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.trigger.SchemaCheck;
import dev.flowstone.dialect.dag.trigger.TriggerSchema;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.templates.fields.FieldFault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The JSON Schema of a template's config: what it demands, what it fills in, and whether a pointer is sure to lead to a value. */
final class ConfigSchema {
    static final String CONFIG_INVALID = "CONFIG_INVALID";

    private static final int SHOWN = 50;

    private final JsonObject schema;

    ConfigSchema(JsonObject schema) {
        this.schema = schema;
    }

    /** Every fault of the schema itself, with pointers into it. */
    List<FieldFault> faults() {
        List<FieldFault> all = new ArrayList<>();
        if (!isObject(schema)) {
            all.add(new FieldFault(
                    "SCHEMA_INVALID", "", "the schema of a config is of an object", "write \"type\": \"object\""));
        }
        Faults found = new Faults(located(), SHOWN, FaultCode.MORE_FAULTS);
        new SchemaCheck(found).check(schema, "");
        found.sorted()
                .forEach(it -> all.add(new FieldFault("SCHEMA_INVALID", it.pointer(), it.message(), it.remedy())));
        return all;
    }

    /** Its places are nobody's: whoever sent the schema knows where it stands. */
    private JsonParser.Located located() {
        try {
            return JsonParser.parseLocated(CanonicalJson.exact(schema), JsonLimits.STORED);
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("what was written as JSON is read as JSON", e);
        }
    }

    /** Why a pointer may lead to nothing in a config that satisfies the schema; empty if it can't. */
    Optional<String> missing(JsonPointer pointer) {
        JsonObject inside = schema;
        String path = "";
        for (String token : pointer.tokens()) {
            if (!isObject(inside)) {
                return Optional.of("the config may have something else than an object at " + Quoted.text(path)
                        + ", whose property has no \"type\": \"object\"");
            }
            path += "/" + JsonPointer.escape(token);
            if (!(inside.get("properties") instanceof JsonObject properties)
                    || !(properties.get(token) instanceof JsonObject property)) {
                return Optional.of("configSchema has no property " + Quoted.text(path));
            }
            if (!isRequired(inside, token) && property.get("default") == null) {
                return Optional.of(
                        "the config may lack " + Quoted.text(path) + ", which is neither required nor has a default");
            }
            inside = property;
        }
        return Optional.empty();
    }

    private static boolean isObject(JsonObject property) {
        return property.get("type") instanceof JsonString(String type) && type.equals("object");
    }

    private static boolean isRequired(JsonObject object, String name) {
        return object.get("required") instanceof JsonArray(List<JsonValue> items)
                && items.contains(new JsonString(name));
    }

    /** The example that a template is tried with: the first of the schema's, or an empty config. */
    JsonObject example() {
        return examples()
                .filter(JsonObject.class::isInstance)
                .map(JsonObject.class::cast)
                .orElse(JsonObject.EMPTY);
    }

    boolean hasExample() {
        return examples().isPresent();
    }

    private Optional<JsonValue> examples() {
        return schema.get("examples") instanceof JsonArray(List<JsonValue> items) && !items.isEmpty()
                ? Optional.of(items.getFirst())
                : Optional.empty();
    }

    /** A config with what it leaves out and the schema has a default for. */
    JsonObject withDefaults(JsonObject config) {
        return withDefaults(schema, config);
    }

    private static JsonObject withDefaults(JsonObject schema, JsonObject value) {
        if (!(schema.get("properties") instanceof JsonObject properties)) {
            return value;
        }
        Map<String, JsonValue> members = new LinkedHashMap<>(value.members());
        properties.members().forEach((name, property) -> {
            if (property instanceof JsonObject inside) {
                JsonValue otherwise = inside.get("default");
                if (!members.containsKey(name) && otherwise != null) {
                    members.put(name, otherwise);
                }
                if (members.get(name) instanceof JsonObject member) {
                    members.put(name, withDefaults(inside, member));
                }
            }
        });
        return JsonObject.of(members);
    }

    /** What is wrong with a config that has its defaults, with pointers into it. */
    List<FieldFault> faults(JsonObject config) {
        List<FieldFault> all = new ArrayList<>();
        unknown(schema, config, "", all);
        TriggerSchema.of(schema, "the template's configSchema")
                .check(config)
                .forEach(it -> all.add(new FieldFault(CONFIG_INVALID, it.pointer(), it.message(), it.remedy())));
        return all.stream().limit(SHOWN).toList();
    }

    /** Members that nobody asks for, in each object that has its {@code properties}: most often somebody mistyped a name. */
    private static void unknown(JsonObject schema, JsonObject value, String at, List<FieldFault> all) {
        JsonObject known = schema.get("properties") instanceof JsonObject properties ? properties : JsonObject.EMPTY;
        boolean open = schema.get("additionalProperties") != null
                || schema.get("patternProperties") != null
                || (!at.isEmpty() && schema.get("properties") == null);
        value.members().forEach((name, member) -> {
            String pointer = at + "/" + JsonPointer.escape(name);
            JsonValue property = known.get(name);
            if (property == null && !open && all.size() < SHOWN) {
                all.add(new FieldFault(
                        CONFIG_INVALID,
                        pointer,
                        "the template asks for no " + Quoted.text(name),
                        known.members().isEmpty()
                                ? "leave it out"
                                : "leave it out; it asks for "
                                        + Quoted.choice(known.members().keySet().stream()
                                                .sorted()
                                                .toList())));
            }
            if (property instanceof JsonObject inside && member instanceof JsonObject object) {
                unknown(inside, object, pointer, all);
            }
        });
    }
}
