package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.server.api.TokenIssuer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who shows a token to a node that hasn't the run is at the other who they were at the first. */
final class ForwardedTokenTest {
    private static final String WAITS = """
            {"id": "waits", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.delay", "parameters": {"durationMs": 600000}}]}""";
    private static final String ALL = "workflows:manage workflows:execute executions:read executions:control";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aTokensCallerIsForwardedAsWhoTheyAre() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                Company company = new Company(folder)) {
            int _ = company.join("one", issuer.settings());
            int _ = company.join("two", issuer.settings());
            company.untilEachHasItsPart();
            String[] ann = issuer.bearer("ann", "acme", ALL);
            String[] globex = issuer.bearer("ann", "globex", ALL);
            String[] reader = issuer.bearer("ann", "acme", "executions:read");
            company.any(0).post("/workflows", WAITS, ann).expect(201);
            company.any(0).post("/workflows/waits/publish", "", ann).expect(200);
            Set<House> owners = new HashSet<>();
            for (int i = 0; i < 12; i++) {
                RunId run = RunId.parse(company.any(i)
                        .post("/workflows/waits/execute", "{\"requestId\": \"r" + i + "\"}", ann)
                        .expect(202)
                        .text("executionId"));
                House stranger = company.stranger(run);
                owners.add(stranger);
                String cancel = "/executions/" + run + "/cancel";
                String why = "{\"reason\": \"enough\"}";
                stranger.post(cancel, why).expect(401);
                stranger.post(cancel, why, reader).expect(403);
                stranger.post(cancel, why, globex).expect(404);
                stranger.post(cancel, why, ann).expect(200);
                String events = stranger.get("/executions/" + run + "?include=events", ann)
                        .expect(200)
                        .text();
                assertTrue(events.contains("\"user:ann\"") && !events.contains("user:system"), events);
            }
            assertTrue(owners.size() == 2, "each was asked for the other's");
        }
    }
}
