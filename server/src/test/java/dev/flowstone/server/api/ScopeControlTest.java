package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Operators hold whole scopes over HTTP (R25). */
final class ScopeControlTest {
    private static final String CONTROL = "/api/v1/control";

    private static void publish(RestFixture rest, String id) throws Exception {
        rest.publish("""
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "%s", "name": "%s", "start": "work",
                 "states": {"work": {"task": {"action": "core.echo"}, "next": "done"}, "done": {"end": {}}}}""".formatted(id, id));
    }

    private static String start(RestFixture rest, String workflow) throws Exception {
        Answer answer = rest.post("/api/v1/workflows/" + workflow + "/execute", "");
        assertTrue(answer.status() < 300, answer::toString);
        return answer.text("/executionId");
    }

    private static Answer change(RestFixture rest, String verb, String body) throws Exception {
        return rest.post(CONTROL + "/" + verb, body, LoopbackCallers.PRINCIPAL, "user:ann");
    }

    private static List<JsonValue> items(Answer answer, String pointer) {
        return ((JsonArray) answer.at(pointer)).items();
    }

    @Test
    void aHeldWorkflowWaitsShowsWhyAndGoesOnWhenResumed() throws Exception {
        try (RestFixture rest = new RestFixture()) {
            rest.until("/health/ready", ready -> ready.status() == 200);
            publish(rest, "held");
            publish(rest, "free");
            Answer held = change(rest, "suspend", """
                    {"scope": "workflow", "workflowId": "held", "reason": "audit"}""");
            assertEquals(200, held.status(), held::toString);
            assertEquals(JsonBoolean.of(true), held.at("/acknowledged"));

            String waits = start(rest, "held");
            assertEquals("Succeeded", rest.finished(start(rest, "free"), "").text("/status"));
            Answer seen = rest.get("/api/v1/executions/" + waits);
            assertEquals("Running", seen.text("/status"));
            assertEquals("suspended", seen.text("/hold/mode"));
            assertEquals("workflow/held", seen.text("/hold/scope"));
            assertEquals("audit", seen.text("/hold/reason"));

            assertEquals(
                    200,
                    change(rest, "resume", "{\"scope\": \"workflow\", \"workflowId\": \"held\", \"reason\": \"done\"}")
                            .status());
            Answer over = rest.finished(waits, "");
            assertEquals("Succeeded", over.text("/status"));
            assertEquals(JsonNull.NULL, over.at("/hold"));
        }
    }

    @Test
    void theListTellsWhatIsInForceWhoSetItAndWhoKnows() throws Exception {
        try (RestFixture rest = new RestFixture()) {
            rest.until("/health/ready", ready -> ready.status() == 200);
            change(rest, "drain", "{\"scope\": \"system\", \"reason\": \"upgrade\", \"timeToLiveSeconds\": 600}");
            change(rest, "suspend", "{\"scope\": \"tenant\", \"reason\": \"audit\", \"input\": \"reject\"}");
            change(rest, "resume", "{\"scope\": \"system\", \"reason\": \"done\"}");

            Answer list = rest.get(CONTROL);

            assertEquals(1, items(list, "/inForce").size());
            assertEquals("tenant/default", list.text("/inForce/0/scope"));
            assertEquals("reject", list.text("/inForce/0/input"));
            assertEquals("user:ann", list.text("/inForce/0/actor"));
            assertEquals(3, items(list, "/items").size());
            assertEquals("clear", list.text("/items/0/mode"));
            assertEquals(2, items(list, "/shards").size());
            assertEquals(list.at("/number"), list.at("/shards/0/acknowledged"));

            Answer page = rest.get(CONTROL + "?limit=1");
            Answer next = rest.get(CONTROL + "?limit=1&after=" + page.text("/next"));
            assertEquals("suspend", next.text("/items/0/mode"));

            Answer others = rest.get(CONTROL, LoopbackCallers.TENANT, "other");
            assertEquals(2, items(others, "/items").size(), others::toString);
            assertEquals(List.of(), items(others, "/inForce"));
        }
    }

    @Test
    void aStartIsRefusedWhereCallersAre() throws Exception {
        try (RestFixture rest = new RestFixture()) {
            rest.until("/health/ready", ready -> ready.status() == 200);
            publish(rest, "held");
            change(rest, "suspend", "{\"scope\": \"tenant\", \"reason\": \"audit\", \"input\": \"reject\"}");

            Answer refused = rest.post("/api/v1/workflows/held/execute", "");

            assertEquals(409, refused.status(), refused::toString);
            assertEquals("SUSPENDED", refused.text("/code"));
        }
    }

    @Test
    void whatIsNotAcknowledgedIsAnsweredAsAccepted() throws Exception {
        try (RestFixture rest = new RestFixture(Map.of(), ScopeControlTest::withADeafShard)) {
            rest.until("/health/ready", ready -> ready.status() == 200);

            Answer answer = change(rest, "suspend", "{\"scope\": \"system\", \"reason\": \"audit\"}");

            assertEquals(202, answer.status(), answer::toString);
            assertEquals(JsonBoolean.of(false), answer.at("/acknowledged"));
            assertEquals(1, items(answer, "/missing").size());
            assertEquals("1", answer.at("/missing/0/shard").toString());
        }
    }

    @Test
    void aScopeThatIsNoneIsRefused() throws Exception {
        try (RestFixture rest = new RestFixture()) {
            for (String body : List.of(
                    "{\"scope\": \"planet\", \"reason\": \"x\"}",
                    "{\"scope\": \"workflow\", \"reason\": \"x\"}",
                    "{\"scope\": \"tenant\", \"workflowId\": \"held\", \"reason\": \"x\"}",
                    "{\"scope\": \"tenant\"}",
                    "{\"reason\": \"x\"}")) {
                assertEquals(400, change(rest, "suspend", body).status(), body);
            }
        }
    }

    private static Ports withADeafShard(Ports ports) {
        Settings real = ports.settings();
        Settings deaf = new Settings() {
            @Override
            public List<ScopeSetting> append(SettingRequest request) throws JournalException {
                return real.append(request);
            }

            @Override
            public List<ScopeSetting> after(long number, int limit) throws JournalException {
                return real.after(number, limit);
            }

            @Override
            public void acknowledge(Lease lease, long number) throws JournalException {
                if (lease.shard().id().number() == 0) {
                    real.acknowledge(lease, number);
                }
            }

            @Override
            public List<ShardAcknowledgement> acknowledgements() throws JournalException {
                return real.acknowledgements();
            }
        };
        return new Ports(
                ports.journal(),
                ports.leases(),
                ports.outbox(),
                ports.inbox(),
                ports.runs(),
                ports.humanTasks(),
                ports.feed(),
                ports.workflows(),
                ports.clock(),
                ports.subjects(),
                ports.transactions(),
                deaf,
                ports.policies());
    }
}
