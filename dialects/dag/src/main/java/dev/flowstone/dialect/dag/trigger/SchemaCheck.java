package dev.flowstone.dialect.dag.trigger;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.ValidationLimitExceededException;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether a {@code triggerSchema} is a JSON Schema that can be used: valid by its version's own schema, closed in itself,
 * patterns in linear time.
 */
public final class SchemaCheck {
    /** Keywords whose values are data and not schemas. */
    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

    /** References whose target depends on the way that led to them. */
    private static final Set<String> DYNAMIC = Set.of("$dynamicRef", "$recursiveRef");

    private final Faults faults;
    private boolean sound = true;

    public SchemaCheck(Faults faults) {
        this.faults = faults;
    }

    /** Notes every fault of the schema that stands at this pointer. */
    public void check(JsonObject schema, String pointer) {
        Optional<SpecificationVersion> version = version(schema, pointer);
        if (version.isEmpty()) {
            return;
        }
        try {
            List<Error> errors = Validators.run(Validators.metaSchema(version.get()), Jackson.node(schema));
            Map<String, List<Error>> byPlace = new TreeMap<>();
            for (Error error : errors) {
                if (isAboutAPattern(error)) {
                    continue;
                }
                String at = pointer + Validators.pointer(error.getInstanceLocation());
                byPlace.computeIfAbsent(at, it -> new ArrayList<>()).add(error);
            }
            byPlace.forEach(this::refuse);
            new References(schema).walk(schema, pointer, false);
            if (sound) {
                Validators.compile(schema);
            }
        } catch (ValidationLimitExceededException e) {
            refuse(pointer, "the schema is too deep or too intricate", "simplify it");
        } catch (SchemaException e) {
            refuse(pointer, Quoted.cut(String.valueOf(e.getMessage()), 300), "see json-schema.org for what is allowed");
        }
    }

    /** Patterns are checked by what will run them, with a better message. */
    private static boolean isAboutAPattern(Error error) {
        return error.getKeyword().equals("format")
                && error.getArguments() != null
                && List.of(error.getArguments()).contains("regex");
    }

    /** One fault for each place: a schema's own schema tries alternatives and complains of each. */
    private void refuse(String pointer, List<Error> errors) {
        Set<String> messages = new LinkedHashSet<>();
        errors.forEach(error -> messages.add(error.getMessage()));
        refuse(pointer, Quoted.cut(String.join("; ", messages), 300), "see json-schema.org for what is allowed here");
    }

    private Optional<SpecificationVersion> version(JsonObject schema, String pointer) {
        if (!(schema.get("$schema") instanceof JsonString named)) {
            return Optional.of(Validators.DEFAULT_VERSION);
        }
        String plain = named.value().replaceFirst("^https:", "http:").replaceFirst("#$", "");
        List<String> known = new ArrayList<>();
        for (SpecificationVersion version : SpecificationVersion.values()) {
            String id = version.getDialectId();
            if (id.replaceFirst("^https:", "http:").replaceFirst("#$", "").equals(plain)) {
                return Optional.of(version);
            }
            known.add(id);
        }
        refuse(
                pointer + "/$schema",
                "no version of JSON Schema is named " + Quoted.text(named.value()),
                "write " + Quoted.choice(known) + ", or leave it out for draft-07");
        return Optional.empty();
    }

    private void pattern(String regex, String pointer) {
        LinearRegex.complaint(regex)
                .ifPresent(complaint -> refuse(
                        pointer,
                        "the pattern " + Quoted.text(regex) + " isn't accepted: " + Quoted.cut(complaint, 100),
                        "patterns run in linear time: no look-around, no back-references (RE2 syntax)"));
    }

    private void refuse(String pointer, String message, String remedy) {
        sound = false;
        faults.add(FaultCode.TRIGGER_SCHEMA_INVALID, pointer, message, remedy);
    }

    /** Looks at every reference, base and pattern in a schema. */
    private final class References {
        private final JsonObject schema;

        References(JsonObject schema) {
            this.schema = schema;
        }

        void walk(JsonValue value, String pointer, boolean nested) {
            switch (value) {
                case JsonObject object ->
                    object.members().forEach((name, member) -> {
                        String at = pointer + "/" + JsonPointer.escape(name);
                        look(name, member, at, nested);
                        if (!DATA.contains(name)) {
                            walk(member, at, true);
                        }
                    });
                case JsonArray array -> {
                    for (int i = 0; i < array.items().size(); i++) {
                        walk(array.items().get(i), pointer + "/" + i, true);
                    }
                }
                default -> {}
            }
        }

        private void look(String name, JsonValue member, String pointer, boolean nested) {
            if (member instanceof JsonString text) {
                if (name.equals("$ref")) {
                    reference(text.value(), pointer);
                } else if (DYNAMIC.contains(name)) {
                    refuse(pointer, Quoted.text(name) + " isn't supported", "write '$ref'");
                } else if (name.equals("pattern")) {
                    pattern(text.value(), pointer);
                } else if (nested && name.equals("$id")) {
                    refuse(pointer, "a schema inside the schema has an '$id' of its own", "remove it");
                }
            } else if (name.equals("patternProperties") && member instanceof JsonObject patterns) {
                patterns.members().keySet().forEach(it -> pattern(it, pointer + "/" + JsonPointer.escape(it)));
            }
        }

        private void reference(String target, String pointer) {
            if (!target.equals("#") && !target.startsWith("#/")) {
                refuse(
                        pointer,
                        "the schema refers outside itself, or to an anchor: " + Quoted.text(target),
                        "copy what it refers to into 'definitions', and refer to '#/definitions/…'");
            } else if (!leadsToASchema(target.substring(1))) {
                refuse(pointer, "there is no schema at " + Quoted.text(target), "define it, or refer to another");
            }
        }

        private boolean leadsToASchema(String fragment) {
            try {
                return JsonPointer.parse(URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8))
                        .find(schema)
                        .filter(it -> it instanceof JsonObject || it instanceof JsonBoolean)
                        .isPresent();
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }
}
