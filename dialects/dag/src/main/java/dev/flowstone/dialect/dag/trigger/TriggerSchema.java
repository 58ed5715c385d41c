package dev.flowstone.dialect.dag.trigger;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.ValidationLimitExceededException;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import java.util.List;
import java.util.Optional;

/**
 * The compiled {@code triggerSchema} of one program, or another schema that {@link SchemaCheck} has accepted. Checks in counted steps, so that no schema and no payload keeps a
 * server busy. Thread-safe; worth keeping beside a program.
 */
public final class TriggerSchema {
    /** The member of a program's metadata that holds it. */
    public static final String METADATA = "triggerSchema";

    private static final int SHOWN = 50;

    private final Optional<Schema> schema;

    /** What messages call the schema. */
    private final String name;

    private TriggerSchema(Optional<Schema> schema, String name) {
        this.schema = schema;
        this.name = name;
    }

    /** A program without a {@code triggerSchema} accepts every payload. */
    public static TriggerSchema of(Program program) {
        return new TriggerSchema(
                program.metadata()
                        .find(METADATA)
                        .filter(JsonObject.class::isInstance)
                        .map(it -> Validators.compile((JsonObject) it)),
                "the workflow's triggerSchema");
    }

    /** Of a schema that was accepted, and what messages are to call it, such as {@code the template's schema}. */
    public static TriggerSchema of(JsonObject schema, String name) {
        return new TriggerSchema(Optional.of(Validators.compile(schema)), name);
    }

    /** What is wrong with this payload; pointers go into it, and lines are 0. */
    public List<Fault> check(JsonValue trigger) {
        if (schema.isEmpty()) {
            return List.of();
        }
        try {
            return Validators.run(schema.get(), Jackson.node(trigger)).stream()
                    .map(this::fault)
                    .distinct()
                    .sorted(Fault.BY_PLACE)
                    .limit(SHOWN)
                    .toList();
        } catch (ValidationLimitExceededException e) {
            return List.of(fault(
                    "",
                    "this is too deep or too intricate for " + name,
                    "send something simpler, or simplify the schema"));
        } catch (SchemaException e) {
            return List.of(fault(
                    "",
                    name + " can't be applied: " + Quoted.cut(String.valueOf(e.getMessage()), 300),
                    "repair the schema, and publish it again"));
        }
    }

    private Fault fault(Error error) {
        return fault(
                Validators.pointer(error.getInstanceLocation()),
                Quoted.cut(error.getMessage(), 300),
                "send what " + name + " asks for at "
                        + Quoted.cut(error.getSchemaLocation().getFragment().toString(), 200));
    }

    private static Fault fault(String pointer, String message, String remedy) {
        FaultCode code = FaultCode.TRIGGER_INVALID;
        return new Fault(code, code.severity(), pointer, 0, 0, message, remedy);
    }
}
