package dev.flowstone.connectors.bind;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.ValidationLimitExceededException;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.dialect.dag.trigger.Jackson;
import dev.flowstone.dialect.dag.trigger.Validators;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a compiled JSON Schema says about parameters, each fault at the member that it is about. Thread-safe. */
public final class SchemaFaults {
    private static final int LONGEST = 300;

    private final Schema schema;
    private final Set<String> known;

    /**
     * Of this schema.
     *
     * @throws SchemaException if it can't be used
     */
    public SchemaFaults(JsonObject schema) {
        this.schema = Validators.compile(schema);
        this.known = schema.get("properties") instanceof JsonObject properties
                ? new TreeSet<>(properties.members().keySet())
                : Set.of();
    }

    /** All that is wrong with it. */
    public List<ParameterFault> of(JsonValue value) {
        try {
            return Validators.run(schema, Jackson.node(value)).stream()
                    .map(this::fault)
                    .toList();
        } catch (ValidationLimitExceededException e) {
            return List.of(new ParameterFault("", "the parameters are too deep or too intricate: give simpler ones"));
        } catch (SchemaException e) {
            return List.of(new ParameterFault("", "the action's schema can't be applied; its author has to mend it"));
        }
    }

    private ParameterFault fault(Error error) {
        String at = Validators.pointer(error.getInstanceLocation());
        return switch (error.getKeyword()) {
            case "required" -> new ParameterFault(member(at, error), "it is missing: add it");
            case "additionalProperties" ->
                new ParameterFault(member(at, error), "there is no such parameter" + (at.isEmpty() ? others() : ""));
            default -> new ParameterFault(at, Quoted.cut(String.valueOf(error.getMessage()), LONGEST));
        };
    }

    private static String member(String at, Error error) {
        return error.getProperty() == null ? at : at + "/" + JsonPointer.escape(error.getProperty());
    }

    private String others() {
        return known.isEmpty() ? "; the action takes none" : "; there are " + String.join(", ", known);
    }
}
