package dev.flowstone.dialect.dag.trigger;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** The schema validator, set up once: offline, English whatever the machine speaks, linear patterns, counted steps. */
public final class Validators {
    /** A schema that names no version is read as the format's own schema is written. */
    static final SpecificationVersion DEFAULT_VERSION = SpecificationVersion.DRAFT_7;

    private static final long STEPS = 200_000;
    private static final int DEPTH = 1_000;

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            DEFAULT_VERSION,
            builder -> builder.schemaCacheEnabled(false)
                    .schemaLoader(loader -> loader.fetchRemoteResources(false))
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .locale(Locale.ENGLISH)
                            .regularExpressionFactory(new LinearRegex())
                            .preloadSchema(true)
                            .build()));

    private Validators() {}

    /**
     * Compiles a schema.
     *
     * @throws com.networknt.schema.SchemaException if it can't be used
     */
    public static Schema compile(JsonObject schema) {
        return REGISTRY.getSchema(Jackson.node(schema));
    }

    /** The schema that schemas of this version satisfy. */
    static Schema metaSchema(SpecificationVersion version) {
        return REGISTRY.getSchema(SchemaLocation.of(version.getDialectId()));
    }

    /**
     * All errors of the value.
     *
     * @throws com.networknt.schema.ValidationLimitExceededException if it takes too many steps
     */
    public static List<Error> run(Schema schema, JsonNode value) {
        return schema.validate(
                value,
                context -> context.executionConfig(
                        config -> config.maxEvaluationSteps(STEPS).maxEvaluationDepth(DEPTH)));
    }

    public static String pointer(NodePath path) {
        StringBuilder pointer = new StringBuilder();
        for (int i = 0; i < path.getNameCount(); i++) {
            pointer.append('/').append(JsonPointer.escape(path.getElement(i).toString()));
        }
        return pointer.toString();
    }
}
