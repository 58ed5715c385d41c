package dev.flowstone.dialect.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.trigger.TriggerSchema;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A payload against its workflow's {@code triggerSchema}. */
final class TriggerTest {
    @Test
    void acceptsAnyPayloadWithoutASchema() {
        Program program = Dags.program(Dags.workflow(Dags.node("a")));

        assertEquals(List.of(), DagDialect.checkTrigger(program, json("[1, null]")));
    }

    @Test
    void namesEverythingWrongWithAPayload() throws IOException {
        TriggerSchema schema = TriggerSchema.of(Dags.program(Dags.example("branching.json")));

        assertEquals(List.of(), schema.check(json("{\"customer\":\"Ada\",\"amount\":1200}")));
        assertEquals(List.of(), schema.check(json("{\"customer\":\"Ada\",\"amount\":0.1000000000000000055}")));
        assertEquals(
                List.of("0 TRIGGER_INVALID /amount", "0 TRIGGER_INVALID /customer"),
                Dags.brief(schema.check(json("{\"customer\":\"\",\"amount\":\"much\"}"))));
        assertEquals(List.of("0 TRIGGER_INVALID "), Dags.brief(schema.check(json("{\"amount\":1}"))));
    }

    @Test
    void speaksEnglishAndNamesTheRule() throws IOException {
        Program program = Dags.program(Dags.example("branching.json"));

        Fault fault = DagDialect.checkTrigger(program, json("{\"customer\":\"Ada\",\"amount\":-1}"))
                .getFirst();

        assertEquals("/amount", fault.pointer());
        assertTrue(fault.message().contains("must have a minimum value of 0"), fault.message());
        assertTrue(fault.remedy().contains("/properties/amount/minimum"), fault.remedy());
    }

    @Test
    void comparesNumbersExactly() {
        Program program = withSchema("{\"properties\":{\"n\":{\"maximum\":7615917337495251231}}}");

        assertEquals(List.of(), DagDialect.checkTrigger(program, json("{\"n\":7615917337495251231}")));
        assertEquals(
                1,
                DagDialect.checkTrigger(program, json("{\"n\":7615917337495251232}"))
                        .size());
    }

    @Test
    void takesAnyVersionOfJsonSchema() {
        for (String version : List.of(
                "http://json-schema.org/draft-04/schema#",
                "http://json-schema.org/draft-06/schema#",
                "http://json-schema.org/draft-07/schema",
                "https://json-schema.org/draft/2019-09/schema",
                "https://json-schema.org/draft/2020-12/schema")) {
            Program program = withSchema("{\"$schema\":\"" + version + "\",\"type\":\"object\"}");

            assertEquals(1, DagDialect.checkTrigger(program, json("[]")).size(), version);
        }
    }

    @Test
    void stopsASchemaThatWouldTakeForEver() {
        Program program = withSchema("{\"properties\":{\"a\":{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}}}");
        JsonValue deep = json("{\"a\":".repeat(60) + "1" + "}".repeat(60));

        List<Fault> faults = assertTimeout(Duration.ofSeconds(20), () -> DagDialect.checkTrigger(program, deep));

        assertEquals(FaultCode.TRIGGER_INVALID, faults.getFirst().code());
        assertTrue(faults.getFirst().message().contains("too intricate"), faults::toString);
    }

    @Test
    void followsARecursiveSchemaAsDeepAsAPayloadMayBe() {
        Program program = withSchema("{\"properties\":{\"a\":{\"$ref\":\"#\"}},\"additionalProperties\":false}");

        assertEquals(List.of(), DagDialect.checkTrigger(program, json("{\"a\":".repeat(200) + "1" + "}".repeat(200))));
    }

    private static Program withSchema(String schema) {
        return Dags.program("{\"triggerSchema\":" + schema + ","
                + Dags.workflow(Dags.node("a")).substring(1));
    }

    private static JsonValue json(String text) {
        try {
            return JsonParser.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
