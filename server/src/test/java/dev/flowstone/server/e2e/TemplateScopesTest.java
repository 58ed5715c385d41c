package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.server.api.TokenIssuer;
import dev.flowstone.server.e2e.House.Answer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is every tenant's is changed by an operator only, whatever scopes a tenant's own people have. */
final class TemplateScopesTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final String VERSION = "{\"displayName\": \"A\", \"format\": \"text\", \"body\": \"%s\"}";

    @TempDir
    Path data = Path.of("");

    private static String workflow(String members, String description) {
        return """
                {%s "displayName": "A", "description": "%s", "category": "c",
                 "definition": {"startNode": "say", "nodes": [{"id": "say", "actionType": "core.echo"}]},
                 "configSchema": {"type": "object"}}""".formatted(members, description);
    }

    private static String set(String id) {
        return "{\"id\": \"" + id + "\", \"displayName\": \"All\", \"team\": \"all\", \"shared\": true}";
    }

    @Test
    void aTenantsPeopleChangeNothingOfEverybodys() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                House house = House.open(data, issuer.settings("http.token", SECRET), BuiltInActions.registry())) {
            String[] operator = {"Authorization", "Bearer " + SECRET, "Flowstone-Tenant", "acme"};
            String[] ann = issuer.bearer("ann", "acme", "templates:manage templates:read");
            house.post("/templates/sets", set("all"), operator).expect(201);
            house.post("/templates/all/a/versions", VERSION.formatted("one"), operator)
                    .expect(201);

            List<Answer> refused = List.of(
                    house.post("/templates/sets", set("new"), ann),
                    house.put("/templates/sets/all", "{\"isEnabled\": false}", ann),
                    house.delete("/templates/sets/all", ann),
                    house.post("/templates/all/a/versions", VERSION.formatted("two"), ann),
                    house.post("/templates/all/a/versions/1/disable", "", ann),
                    house.post("/templates/all/a/versions/1/enable", "", ann),
                    house.post("/templates/workflows", workflow("\"id\": \"new\", \"isOfficial\": true,", "mine"), ann),
                    house.post("/templates/workflows/poll-and-notify/versions", workflow("", "mine"), ann),
                    house.post("/templates/workflows/poll-and-notify/disable", "", ann),
                    house.post("/templates/workflows/poll-and-notify/enable", "", ann));

            for (Answer answer : refused) {
                assertEquals(403, answer.status(), answer::text);
                assertTrue(answer.text("detail").contains("control:system"), answer::text);
            }
            Answer shown = house.get("/templates/all/a", ann).expect(200);
            assertEquals("one", shown.text("body"));
            house.get("/templates/sets/new", ann).expect(404);
            house.get("/templates/workflows/new", ann).expect(404);
            Answer official =
                    house.get("/templates/workflows/poll-and-notify", ann).expect(200);
            assertTrue(official.text().contains("\"isEnabled\":true"), official::text);
            assertTrue(official.text().contains("\"latestVersion\":1"), official::text);
        }
    }
}
