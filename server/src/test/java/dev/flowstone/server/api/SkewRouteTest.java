package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonString;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What of a node is out of step, over HTTP. */
final class SkewRouteTest {
    @Test
    void everyKindIsToldWithItsShare() throws Exception {
        try (RestFixture rest = new RestFixture(Map.of("limit.atOnce", "core.echo=1"))) {
            RestFixture.Answer answer = rest.get("/api/v1/system/skew");

            assertEquals(200, answer.response().statusCode());
            JsonArray skew = (JsonArray) answer.at("/skew");
            assertEquals(4, skew.items().size());
            List<String> kinds = List.of("shard", "tenant", "queue", "timers");
            for (int i = 0; i < kinds.size(); i++) {
                assertEquals(new JsonString(kinds.get(i)), answer.at("/skew/" + i + "/of"));
                assertEquals("1", answer.at("/skew/" + i + "/share").toString());
            }
            assertEquals("0", answer.at("/shards/0/waiting").toString());
        }
    }
}
