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
 * The compiled {@code triggerSchema} of one program. Checks in counted steps, so that no schema and no payload keeps a
 * server busy. Thread-safe; worth keeping beside a program.
 */
public final class TriggerSchema {
    /** The member of a program's metadata that holds it. */
    public static final String METADATA = "triggerSchema";

    private static final int SHOWN = 50;

    private final Optional<Schema> schema;

    private TriggerSchema(Optional<Schema> schema) {
        this.schema = schema;
    }

    /** A program without a {@code triggerSchema} accepts every payload. */
    public static TriggerSchema of(Program program) {
        return new TriggerSchema(program.metadata()
                .find(METADATA)
                .filter(JsonObject.class::isInstance)
                .map(it -> Validators.compile((JsonObject) it)));
    }

    /** What is wrong with this payload; pointers go into it, and lines are 0. */
    public List<Fault> check(JsonValue trigger) {
        if (schema.isEmpty()) {
            return List.of();
        }
        try {
            return Validators.run(schema.get(), Jackson.node(trigger)).stream()
                    .map(TriggerSchema::fault)
                    .distinct()
                    .sorted(Fault.BY_PLACE)
                    .limit(SHOWN)
                    .toList();
        } catch (ValidationLimitExceededException e) {
            return List.of(fault(
                    "",
                    "the payload is too deep or too intricate for this workflow's triggerSchema",
                    "send a simpler payload, or simplify the schema"));
        } catch (SchemaException e) {
            return List.of(fault(
                    "",
                    "the workflow's triggerSchema can't be applied: " + Quoted.cut(String.valueOf(e.getMessage()), 300),
                    "repair the schema, and publish the workflow again"));
        }
    }

    private static Fault fault(Error error) {
        return fault(
                Validators.pointer(error.getInstanceLocation()),
                Quoted.cut(error.getMessage(), 300),
                "send what the workflow's triggerSchema asks for at "
                        + Quoted.cut(error.getSchemaLocation().getFragment().toString(), 200));
    }

    private static Fault fault(String pointer, String message, String remedy) {
        FaultCode code = FaultCode.TRIGGER_INVALID;
        return new Fault(code, code.severity(), pointer, 0, 0, message, remedy);
    }
}
