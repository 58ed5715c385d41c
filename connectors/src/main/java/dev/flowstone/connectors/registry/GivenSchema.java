package dev.flowstone.connectors.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.trigger.SchemaCheck;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;

/** A JSON Schema that somebody wrote: closed in itself, its patterns in linear time, valid by its version's own schema. */
final class GivenSchema {
    private static final int MOST_FAULTS = 5;

    private GivenSchema() {}

    /** @throws IllegalArgumentException if it is none; it says what is wrong, and where */
    static JsonObject read(String text, String what) {
        try {
            JsonParser.Located document = JsonParser.parseLocated(text.getBytes(UTF_8), JsonLimits.DEFAULT);
            if (!(document.value() instanceof JsonObject schema)) {
                throw new IllegalArgumentException(what + " is no JSON object");
            }
            Faults faults = new Faults(document, MOST_FAULTS, FaultCode.MORE_FAULTS);
            new SchemaCheck(faults).check(schema, "");
            if (faults.hasErrors()) {
                Fault first = faults.sorted().getFirst();
                throw new IllegalArgumentException(what + " can't be used: line " + first.line() + ", '"
                        + first.pointer() + "': " + first.message() + "; " + first.remedy());
            }
            return schema;
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(what + " is no JSON: " + e.getMessage(), e);
        }
    }
}
