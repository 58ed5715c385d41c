package dev.flowstone.templates.fields;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.trigger.SchemaCheck;
import dev.flowstone.dialect.dag.trigger.TriggerSchema;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A template's form: {@code {"fields": [{key, label, type, required, options, help}], "validation": {"jsonSchema": {…}}}}, each member
 * of it optional. What answers have to satisfy is both: what the fields say, and the schema (dataflow.md §5.4).
 */
public final class Form {
    private static final String FIELDS = "fields";
    private static final String VALIDATION = "validation";
    private static final String SCHEMA = "jsonSchema";
    private static final String SCHEMA_POINTER = "/" + VALIDATION + "/" + SCHEMA;
    private static final Set<String> MEMBERS = Set.of(FIELDS, VALIDATION);
    private static final Set<String> FIELD = Set.of("key", "label", "type", "required", "options", "help");
    private static final Pattern KEY = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,99}");
    private static final String WRONG = "FIELDS_INVALID";
    private static final int MOST_FIELDS = 200;
    private static final int MOST_OPTIONS = 500;
    private static final int LONGEST = 4_000;
    private static final int SHOWN = 50;

    private final JsonObject form;
    private final List<FieldFault> faults = new ArrayList<>();
    private final JsonObject.Builder properties = JsonObject.builder();
    private final List<JsonValue> required = new ArrayList<>();

    private Form(JsonObject form) {
        this.form = form;
    }

    /** Every fault of a form, up to a bound; none if it can be used. */
    public static List<FieldFault> check(JsonObject form) {
        Form read = new Form(form);
        read.read();
        read.schema().ifPresent(read::checkSchema);
        return read.faults.stream().limit(SHOWN).toList();
    }

    /** Every fault of answers to a form that was accepted, up to a bound. */
    public static List<FieldFault> check(JsonObject form, JsonObject answers) {
        Form read = new Form(form);
        read.read();
        List<Fault> found = new ArrayList<>(
                TriggerSchema.of(read.derived(), "the template's field").check(answers));
        read.schema()
                .ifPresent(schema -> found.addAll(
                        TriggerSchema.of(schema, "the template's schema").check(answers)));
        return found.stream()
                .map(it -> new FieldFault("ANSWERS_INVALID", it.pointer(), it.message(), it.remedy()))
                .distinct()
                .limit(SHOWN)
                .toList();
    }

    private JsonObject derived() {
        JsonObject.Builder schema = JsonObject.builder().put("type", "object").put("properties", properties.build());
        if (!required.isEmpty()) {
            schema.put("required", new JsonArray(required));
        }
        return schema.build();
    }

    private Optional<JsonObject> schema() {
        return form.get(VALIDATION) instanceof JsonObject validation
                        && validation.get(SCHEMA) instanceof JsonObject schema
                ? Optional.of(schema)
                : Optional.empty();
    }

    private void checkSchema(JsonObject schema) {
        Faults found = new Faults(located(), SHOWN, FaultCode.MORE_FAULTS);
        new SchemaCheck(found).check(schema, SCHEMA_POINTER);
        found.sorted()
                .forEach(it -> faults.add(new FieldFault("SCHEMA_INVALID", it.pointer(), it.message(), it.remedy())));
    }

    /** Its places are nobody's: whoever sent the form knows where it stands. */
    private JsonParser.Located located() {
        try {
            return JsonParser.parseLocated(CanonicalJson.exact(form), JsonLimits.STORED);
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("what was written as JSON is read as JSON", e);
        }
    }

    private void read() {
        only(form, MEMBERS, "");
        JsonValue validation = form.get(VALIDATION);
        if (validation instanceof JsonObject object) {
            only(object, Set.of(SCHEMA), "/" + VALIDATION);
            if (object.get(SCHEMA) != null && !(object.get(SCHEMA) instanceof JsonObject)) {
                wrong(SCHEMA_POINTER, "a schema is an object", "send a JSON Schema");
            }
        } else if (validation != null && validation != JsonNull.NULL) {
            wrong("/" + VALIDATION, "'validation' is an object with 'jsonSchema'", "send such an object");
        }
        JsonValue fields = form.get(FIELDS);
        if (fields instanceof JsonArray(List<JsonValue> items) && items.size() <= MOST_FIELDS) {
            Set<String> keys = new HashSet<>();
            for (int i = 0; i < items.size(); i++) {
                field(items.get(i), "/" + FIELDS + "/" + i, keys);
            }
        } else if (fields != null && fields != JsonNull.NULL) {
            wrong("/" + FIELDS, "'fields' is a list of up to " + MOST_FIELDS + " objects", "send such a list");
        }
    }

    private void field(JsonValue value, String at, Set<String> keys) {
        if (!(value instanceof JsonObject field)) {
            wrong(at, "a field is an object", "send one with key, label and type");
            return;
        }
        only(field, FIELD, at);
        Optional<String> key = text(field, "key").filter(it -> KEY.matcher(it).matches());
        if (key.isEmpty()) {
            wrong(
                    at + "/key",
                    "a field's 'key' has 1 to 100 letters, digits, hyphens and underscores, a letter or underscore first",
                    "name it so");
        } else if (!keys.add(key.get())) {
            wrong(at + "/key", "two fields have the key " + Quoted.text(key.get()), "rename one");
        }
        Optional<FieldType> type = text(field, "type").flatMap(FieldType::of);
        if (type.isEmpty()) {
            wrong(at + "/type", "a field's 'type' is one of " + String.join(", ", FieldType.words()), "send one");
        }
        prose(field, "label", at);
        prose(field, "help", at);
        boolean demanded = field.get("required") == JsonBoolean.TRUE;
        if (field.get("required") != null && !(field.get("required") instanceof JsonBoolean)) {
            wrong(at + "/required", "'required' is true or false", "send one of them");
        }
        JsonArray options = options(field, type, at);
        if (key.isPresent() && type.isPresent()) {
            properties.put(key.get(), type.get().schema(demanded, options));
            if (demanded) {
                required.add(new JsonString(key.get()));
            }
        }
    }

    private JsonArray options(JsonObject field, Optional<FieldType> type, String at) {
        JsonValue given = field.get("options");
        boolean wanted = type.filter(FieldType::hasOptions).isPresent();
        if (!wanted) {
            if (given != null && type.isPresent()) {
                wrong(at + "/options", "a field of this type has no options", "leave them out, or ask for a choice");
            }
            return new JsonArray(List.of());
        }
        if (given instanceof JsonArray options
                && !options.items().isEmpty()
                && options.items().size() <= MOST_OPTIONS
                && options.items().stream().allMatch(JsonString.class::isInstance)
                && new HashSet<>(options.items()).size() == options.items().size()) {
            return options;
        }
        wrong(
                at + "/options",
                "a choice has 1 to " + MOST_OPTIONS + " options, texts of which no two are the same",
                "send such a list");
        return new JsonArray(List.of());
    }

    private void prose(JsonObject field, String name, String at) {
        JsonValue value = field.get(name);
        if (value != null && !(value instanceof JsonString(String text) && text.length() <= LONGEST)) {
            wrong(at + "/" + name, "'" + name + "' is text of up to " + LONGEST + " characters", "send such a text");
        }
    }

    private static Optional<String> text(JsonObject object, String name) {
        return object.get(name) instanceof JsonString(String text) ? Optional.of(text) : Optional.empty();
    }

    private void only(JsonObject object, Set<String> names, String at) {
        for (String name : object.members().keySet()) {
            if (!names.contains(name)) {
                wrong(
                        at + "/" + JsonPointer.escape(name),
                        "unknown member " + Quoted.text(name),
                        "leave it out; known are " + String.join(", ", new TreeSet<>(names)));
            }
        }
    }

    private void wrong(String pointer, String message, String remedy) {
        if (faults.size() < SHOWN) {
            faults.add(new FieldFault(WRONG, pointer, message, remedy));
        }
    }
}
