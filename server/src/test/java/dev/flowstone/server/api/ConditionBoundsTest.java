package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.api.RestFixture.Answer;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code condition.*}: an installation may allow its conditions less than by default (dataflow.md §6.1). */
final class ConditionBoundsTest {
    private static final String LIST =
            IntStream.range(0, 300).mapToObj(Integer::toString).collect(Collectors.joining(",", "[", "]"));

    private static String definition(String condition) {
        return """
                {"id":"w","displayName":"W","startNode":"a","nodes":[
                 {"id":"a","actionType":"core.echo","routePolicy":"firstMatch","edges":[
                  {"targetNode":"yes","condition":"CONDITION"},{"targetNode":"no"}]},
                 {"id":"yes","actionType":"core.echo","parameters":{"way":"yes"}},
                 {"id":"no","actionType":"core.echo","parameters":{"way":"no"}}]}""".replace("CONDITION", condition);
    }

    /** Which way a run goes, and whether it says that the condition failed. */
    private static String way(Map<String, String> settings, String condition) throws Exception {
        try (RestFixture rest = new RestFixture(settings)) {
            rest.publish(definition(condition));
            Answer started = rest.post("/api/v1/workflows/w/execute", "{\"trigger\":{\"list\":" + LIST + "}}");
            Answer ended = rest.finished(started.text("/executionId"), "?include=events");
            assertEquals("Succeeded", ended.text("/status"), ended::toString);
            Matcher code = Pattern.compile("BUDGET_[A-Z]+").matcher(ended.toString());
            return ended.text("/output/way") + (code.find() ? ", " + code.group() : "");
        }
    }

    @Test
    void stepsAreBoundedAsSet() throws Exception {
        String condition = "trigger.list.map(x => x + 1).length === 300";

        assertEquals("yes", way(Map.of(), condition));
        assertEquals("no, BUDGET_STEPS", way(Map.of("condition.maxStatements", "1"), condition));
    }

    @Test
    void memoryIsBoundedAsSet() throws Exception {
        String condition = "trigger.list.map(x => x + 1).length === 300";

        assertEquals("no, BUDGET_BYTES", way(Map.of("condition.memoryLimitBytes", "64"), condition));
    }

    @Test
    void functionsInsideFunctionsAreBoundedAsSet() throws Exception {
        String condition = "[1].map(x => [x].map(y => y).length).length === 1";

        assertEquals("yes", way(Map.of(), condition));
        try (RestFixture rest = new RestFixture(Map.of("condition.maxRecursionDepth", "1"))) {
            Answer refused = rest.post("/api/v1/workflows", definition(condition));
            assertEquals(400, refused.status());
            assertTrue(refused.toString().contains("CONDITION_INVALID"), refused::toString);
        }
    }
}
