package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.TokenIssuer;
import dev.flowstone.server.e2e.House.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who fires a trigger by hand says what comes of it: that takes the scope of what comes of it. */
final class TriggerScopesTest {
    private static final String DEFINITION = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "approved", "name": "approved",
             "triggers": [{"id": "yes", "source": "external", "event": "approved.yes",
                           "signal": {"type": "approval", "key": "{{ event.order }}"}}],
             "start": "first", "states": {"first": {"next": "done"}, "done": {"end": {}}}}""";

    @TempDir
    Path data = Path.of("");

    @Test
    void aTokenThatStartsSendsNoSignals() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                House house = House.open(data, issuer.settings(), BuiltInActions.registry())) {
            String[] manager = issuer.bearer("ann", "acme", "workflows:manage workflows:read");
            house.post("/workflows", DEFINITION, manager).expect(201);
            house.post("/workflows/approved/publish", "", manager).expect(200);
            JsonObject found = house.get("/triggers?workflowId=approved", manager)
                    .expect(200)
                    .object();
            JsonArray items = (JsonArray) found.find("items").orElseThrow();
            String fire = "/triggers/" + Sender.text((JsonObject) items.items().getFirst(), "id") + "/fire";
            String body = "{\"trigger\": {\"data\": {\"order\": \"o-1\"}}}";

            Answer refused = house.post(fire, body, issuer.bearer("bob", "acme", "workflows:execute"))
                    .expect(403);
            assertTrue(refused.text("detail").contains("signals:write"), refused::text);
            Answer sent = house.post(fire, body, issuer.bearer("bob", "acme", "workflows:execute signals:write"));
            assertEquals(2, sent.status() / 100, sent::text);
        }
    }
}
