package dev.flowstone.templates.workflow;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.templates.fields.FieldFault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A workflow template's definition and the schema of its config, from which definitions are made. Pure, and bounded by what the parser
 * has let in: equal configs give equal definitions.
 */
public final class Blueprint {
    /** UTF-8 bytes of all values that go into one definition. */
    public static final long MOST_BOUND_BYTES = 1L << 20;

    private final JsonObject definition;
    private final ConfigSchema schema;

    public Blueprint(JsonObject definition, JsonObject configSchema) {
        this.definition = requireNonNull(definition);
        this.schema = new ConfigSchema(configSchema);
    }

    /** What came of a config. */
    public sealed interface Outcome {}

    /**
     * A definition without placeholders. Nobody has checked it yet.
     *
     * @param origins pointers into the config, by where their values stand in the definition
     */
    public record Bound(JsonObject definition, Map<String, String> origins) implements Outcome {
        public Bound {
            requireNonNull(definition);
            origins = Map.copyOf(origins);
        }

        /** Where in the config that comes from which stands at this place of the definition; the place itself if nowhere. */
        public Optional<String> origin(String pointer) {
            for (String at = pointer; !at.isEmpty(); at = at.substring(0, at.lastIndexOf('/'))) {
                String origin = origins.get(at);
                if (origin != null) {
                    return Optional.of(origin);
                }
            }
            return Optional.empty();
        }
    }

    /** A config that can't be used, each fault with its pointer into it. */
    public record WrongConfig(List<FieldFault> faults) implements Outcome {
        public WrongConfig {
            faults = List.copyOf(faults);
        }
    }

    /**
     * Every fault of the template itself: of the schema, and of placeholders that lead nowhere. Pointers begin with {@code /definition}
     * or {@code /configSchema}. Whether what comes of it is a sound workflow isn't asked here.
     */
    public List<FieldFault> check() {
        List<FieldFault> faults = new ArrayList<>();
        schema.faults().forEach(it -> faults.add(below("/configSchema", it)));
        Placeholders.Filled filled = Placeholders.fill(definition, _ -> JsonNull.NULL);
        filled.faults().forEach(it -> faults.add(below("/definition", it)));
        for (Placeholder placeholder : filled.found()) {
            schema.missing(placeholder.pointer())
                    .ifPresent(reason -> faults.add(new FieldFault(
                            Placeholders.INVALID,
                            "/definition" + placeholder.at(),
                            reason,
                            "name a property of configSchema that is required, or has a default")));
        }
        return faults;
    }

    private static FieldFault below(String prefix, FieldFault fault) {
        return new FieldFault(fault.code(), prefix + fault.pointer(), fault.message(), fault.remedy());
    }

    /** The config that the template is tried with when it is written: the schema's first example, or an empty one. */
    public JsonObject example() {
        return schema.example();
    }

    /** Whether the schema has an example. */
    public boolean hasExample() {
        return schema.hasExample();
    }

    /** Fills the definition in. Only for one that has no {@linkplain #check fault}. */
    public Outcome bind(JsonObject given) {
        JsonObject config = schema.withDefaults(given);
        List<FieldFault> wrong = schema.faults(config);
        if (!wrong.isEmpty()) {
            return new WrongConfig(wrong);
        }
        ConfigValues values = new ConfigValues(config);
        Map<String, String> origins = new LinkedHashMap<>();
        Placeholders.Filled filled = Placeholders.fill(definition, placeholder -> {
            origins.put(placeholder.at(), placeholder.pointer().toString());
            return values.value(placeholder);
        });
        List<FieldFault> faults = values.faults();
        return faults.isEmpty() ? new Bound(filled.definition(), origins) : new WrongConfig(faults);
    }
}
