package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.server.api.RestFixture.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What lists are filtered by (dataflow.md §13.2, §13.3). */
final class FilterTest {
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
        rest.publish(Samples.echo("active"));
        rest.publish(Samples.echo("archived"));
        assertEquals(200, rest.post("/api/v1/workflows/archived/archive", "").status());
        assertEquals(
                201, rest.post("/api/v1/workflows", Samples.echo("drafted")).status());
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static List<String> listed(String path, String member) throws Exception {
        Answer answer = rest.get(path);
        assertEquals(200, answer.status(), answer::toString);
        return ((JsonArray) answer.at("/items"))
                .items().stream()
                        .map(item ->
                                ((JsonString) ((JsonObject) item).find(member).orElseThrow()).value())
                        .toList();
    }

    @Test
    void workflowsAreFilteredByWhetherTheyTakeExecutions() throws Exception {
        List<String> enabled = listed("/api/v1/workflows?isEnabled=true", "id");

        assertTrue(enabled.contains("active"), enabled::toString);
        assertEquals(List.of("archived"), listed("/api/v1/workflows?isEnabled=false&status=Archived", "id"));
        assertEquals(List.of(), listed("/api/v1/workflows?isEnabled=true&status=Archived", "id"));
        assertEquals(List.of("active"), listed("/api/v1/workflows?isEnabled=true&status=Active", "id"));
    }

    @Test
    void aTenantIsTheCallsOrRefused() throws Exception {
        assertEquals(listed("/api/v1/workflows", "id"), listed("/api/v1/workflows?tenantId=default", "id"));
        Answer others = rest.get("/api/v1/workflows?tenantId=acme");

        assertEquals(403, others.status(), others::toString);
        assertEquals("FORBIDDEN", others.text("/code"));
    }

    @Test
    void executionsAreFilteredByWhenTheyBegan() throws Exception {
        List<String> ids = new ArrayList<>();
        List<Instant> begun = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String id = rest.post("/api/v1/workflows/active/execute", "").text("/executionId");
            ids.addFirst(id);
            Instant birth = birth(id);
            begun.addFirst(birth);
            // The next one begins in a later millisecond.
            rest.until("/health/live", _ -> Instant.now().isAfter(birth.plusMillis(2)));
        }
        String all = "/api/v1/executions?workflowId=active&";

        assertEquals(ids, listed(all + "limit=3", "executionId"));
        assertEquals(ids.subList(0, 2), listed(all + "startedSince=" + begun.get(1), "executionId"));
        assertEquals(ids.subList(2, 3), listed(all + "startedBefore=" + begun.get(1), "executionId"));
        assertEquals(
                ids.subList(1, 2),
                listed(all + "startedSince=" + begun.get(1) + "&startedBefore=" + begun.get(0), "executionId"));
        assertEquals(400, rest.get(all + "startedSince=yesterday").status());
    }

    /** As the id tells it. */
    private static Instant birth(String id) {
        return Instant.ofEpochMilli(Long.parseLong(id.replace("-", "").substring(0, 12), 16));
    }
}
