package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.Scope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every route there is, with the scope that it takes: whoever adds one decides here who may call it. */
final class RoutesTest {
    static final List<String> ROUTES = List.of(
            "GET /api/v1/workflows workflows:read",
            "POST /api/v1/workflows workflows:manage",
            "GET /api/v1/workflows/{id} workflows:read",
            "GET /api/v1/workflows/{id}/versions workflows:read",
            "DELETE /api/v1/workflows/{id} workflows:manage",
            "POST /api/v1/workflows/{id}/draft workflows:manage",
            "DELETE /api/v1/workflows/{id}/draft workflows:manage",
            "POST /api/v1/workflows/{id}/publish workflows:manage",
            "POST /api/v1/workflows/{id}/archive workflows:manage",
            "POST /api/v1/workflows/{id}/reactivate workflows:manage",
            "POST /api/v1/workflows/{id}/execute workflows:execute",
            "GET /api/v1/executions executions:read",
            "GET /api/v1/executions/{id} executions:read",
            "GET /api/v1/executions/{id}/graph executions:read",
            "GET /api/v1/executions/{id}/timeline executions:read",
            "GET /api/v1/executions/{id}/timers executions:read",
            "GET /api/v1/executions/{id}/incidents executions:read",
            "GET /api/v1/executions/{id}/children executions:read",
            "GET /api/v1/executions/{id}/variables executions:read",
            "GET /api/v1/executions/{id}/attestations tasks:read",
            "GET /api/v1/executions/{id}/hierarchy executions:read",
            "PATCH /api/v1/executions/{id}/variables executions:control",
            "POST /api/v1/executions/{id}/suspend executions:control",
            "POST /api/v1/executions/{id}/resume executions:control",
            "POST /api/v1/executions/{id}/drain executions:control",
            "POST /api/v1/executions/{id}/cancel executions:control",
            "POST /api/v1/executions/{id}/terminate executions:control",
            "POST /api/v1/executions/{id}/rollback executions:control",
            "POST /api/v1/executions/{id}/timers/{timer}/fire executions:control",
            "POST /api/v1/executions/{id}/incidents/{incident}/retry executions:control",
            "POST /api/v1/executions/{id}/incidents/{incident}/skip executions:control",
            "POST /api/v1/executions/{id}/incidents/{incident}/fail executions:control",
            "POST /api/v1/executions/{id}/rebuild executions:control",
            "POST /api/v1/executions/{id}/reenqueue executions:control",
            "POST /api/v1/executions/{id}/force-fail executions:control",
            "GET /api/v1/control control:read",
            "POST /api/v1/control/suspend control:tenant",
            "POST /api/v1/control/resume control:tenant",
            "POST /api/v1/control/drain control:tenant",
            "POST /api/v1/executions/{id}/migrate executions:control",
            "POST /api/v1/workflows/{id}/migrate executions:control",
            "POST /api/v1/executions/{id}/reset executions:control",
            "GET /api/v1/tasks tasks:read",
            "GET /api/v1/approvals tasks:read",
            "GET /api/v1/executions/{id}/tasks tasks:read",
            "POST /api/v1/executions/{id}/tasks/{activation}/claim tasks:write",
            "POST /api/v1/executions/{id}/tasks/{activation}/heartbeat tasks:write",
            "POST /api/v1/executions/{id}/tasks/{activation}/release tasks:write",
            "POST /api/v1/executions/{id}/tasks/{activation}/decide tasks:write",
            "POST /api/v1/executions/{id}/tasks/{activation}/delegate tasks:write",
            "POST /api/v1/executions/{id}/tasks/{activation}/reassign tasks:manage",
            "POST /api/v1/executions/{id}/tasks/{activation}/resolve tasks:manage",
            "POST /api/v1/executions/{id}/attestations/{attestation} tasks:write",
            "POST /api/v1/executions/{id}/tasks/{activation}/complete tasks:work",
            "POST /api/v1/executions/{id}/tasks/{activation}/fail tasks:work",
            "POST /api/v1/tasks/claim tasks:work",
            "POST /api/v1/tasks/heartbeat tasks:work",
            "POST /api/v1/tasks/return tasks:work",
            "POST /api/v1/tasks/leave tasks:work",
            "POST /api/v1/tasks/complete tasks:work",
            "POST /api/v1/executions/{id}/tasks/{activation}/links tasks:work",
            "GET /api/v1/links tasks:work",
            "POST /api/v1/signals signals:write",
            "GET /api/v1/aggregates executions:read",
            "GET /api/v1/policies/{name} policies:read",
            "PUT /api/v1/policies/{name} policies:write",
            "GET /api/v1/outbox outbox:read",
            "GET /api/v1/outbox/{message} outbox:read",
            "POST /api/v1/outbox/{message}/requeue outbox:manage",
            "POST /api/v1/outbox/requeue outbox:manage",
            "DELETE /api/v1/outbox/{message} outbox:manage",
            "POST /api/v1/outbox/purge outbox:manage",
            "GET /api/v1/dead-letters dead-letters:read",
            "GET /api/v1/dead-letters/{id} dead-letters:read",
            "POST /api/v1/dead-letters/{id}/requeue dead-letters:manage",
            "DELETE /api/v1/dead-letters/{id} dead-letters:manage",
            "POST /api/v1/dead-letters/requeue dead-letters:manage",
            "POST /api/v1/dead-letters/purge dead-letters:manage",
            "GET /api/v1/events events:read",
            "GET /api/v1/executions/{id}/stream executions:read",
            "GET /api/v1/subscriptions subscriptions:read",
            "GET /api/v1/subscriptions/{name} subscriptions:read",
            "PUT /api/v1/subscriptions/{name} subscriptions:manage",
            "DELETE /api/v1/subscriptions/{name} subscriptions:manage",
            "POST /api/v1/subscriptions/{name}/pause subscriptions:manage",
            "POST /api/v1/subscriptions/{name}/resume subscriptions:manage",
            "POST /api/v1/subscriptions/{name}/rewind subscriptions:manage",
            "POST /api/v1/subscriptions/{name}/skip subscriptions:manage",
            "GET /api/v1/triggers workflows:read",
            "POST /api/v1/triggers workflows:manage",
            "GET /api/v1/triggers/{id} workflows:read",
            "PUT /api/v1/triggers/{id} workflows:manage",
            "DELETE /api/v1/triggers/{id} workflows:manage",
            "POST /api/v1/triggers/{id}/enable workflows:manage",
            "POST /api/v1/triggers/{id}/disable workflows:manage",
            "POST /api/v1/triggers/{id}/fire workflows:execute",
            "GET /api/v1/triggers/{id}/deliveries executions:read",
            "GET /api/v1/triggers/{id}/next workflows:read",
            "POST /api/v1/triggers/{id} public",
            "GET /api/v1/templates/sets templates:read",
            "POST /api/v1/templates/sets templates:manage",
            "GET /api/v1/templates/sets/{set} templates:read",
            "PUT /api/v1/templates/sets/{set} templates:manage",
            "DELETE /api/v1/templates/sets/{set} templates:manage",
            "GET /api/v1/templates templates:read",
            "GET /api/v1/templates/{id} templates:read",
            "POST /api/v1/templates/{id}/render templates:read",
            "GET /api/v1/templates/{set}/{id} templates:read",
            "POST /api/v1/templates/{set}/{id}/render templates:read",
            "GET /api/v1/templates/{set}/{id}/versions templates:read",
            "POST /api/v1/templates/{set}/{id}/versions templates:manage",
            "POST /api/v1/templates/{set}/{id}/versions/{version}/enable templates:manage",
            "POST /api/v1/templates/{set}/{id}/versions/{version}/disable templates:manage",
            "GET /api/v1/connectors workflows:read",
            "GET /api/v1/connectors/{id} workflows:read",
            "GET /api/v1/connectors/{id}/actions workflows:read",
            "POST /api/v1/connectors/{id}/enable control:system",
            "POST /api/v1/connectors/{id}/disable control:system",
            "GET /api/v1/actions workflows:read",
            "GET /api/v1/actions/{id} workflows:read",
            "POST /api/v1/actions/{id}/enable control:system",
            "POST /api/v1/actions/{id}/disable control:system",
            "GET /api/v1/templates/workflows templates:read",
            "POST /api/v1/templates/workflows templates:manage",
            "GET /api/v1/templates/workflows/{id} templates:read",
            "POST /api/v1/templates/workflows/{id}/versions templates:manage",
            "POST /api/v1/templates/workflows/{id}/enable templates:manage",
            "POST /api/v1/templates/workflows/{id}/disable templates:manage",
            "POST /api/v1/templates/workflows/{id}/instantiate workflows:manage",
            "POST /api/v1/events workflows:execute",
            "GET /health/live public",
            "GET /health/ready public",
            "GET /health metrics:read",
            "GET /api/v1/stuck executions:read",
            "GET /metrics metrics:read",
            "GET /api/v1/system/skew metrics:read",
            "GET /api/v1/cluster metrics:read",
            "GET /api/v1/openapi.json public",
            "GET /api/v1/docs public",
            "GET /api/v1/docs/{part} public",
            "GET /api/v1/problems public",
            "GET /api/v1/problems/{code} public");

    @Test
    void everyRouteDeclaresItsScope() throws Exception {
        List<String> found = new ArrayList<>();
        try (RestFixture rest = new RestFixture()) {
            for (JsonValue route : ((JsonArray) rest.get("/api/v1").at("/routes")).items()) {
                found.add(text(route, "method") + " " + text(route, "path") + " " + text(route, "scope"));
            }
        }

        assertEquals(ROUTES, found);
    }

    /** Who adds a route that shows other tenants' affairs gives it a scope of the installation. */
    @Test
    void aTenantReachesAllRoutesButTheInstallations() {
        Set<String> ofATenant = Scope.ofATenant().stream().map(Scope::toString).collect(Collectors.toSet());

        assertEquals(
                List.of(
                        "POST /api/v1/connectors/{id}/enable control:system",
                        "POST /api/v1/connectors/{id}/disable control:system",
                        "POST /api/v1/actions/{id}/enable control:system",
                        "POST /api/v1/actions/{id}/disable control:system",
                        "GET /health metrics:read",
                        "GET /metrics metrics:read",
                        "GET /api/v1/system/skew metrics:read",
                        "GET /api/v1/cluster metrics:read"),
                ROUTES.stream()
                        .filter(route -> !ofATenant.contains(route.substring(route.lastIndexOf(' ') + 1)))
                        .toList());
    }

    @Test
    void everyRouteIsDocumented() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "rest.md"));

        for (String route : ROUTES) {
            String call = route.substring(0, route.lastIndexOf(' '));
            assertTrue(page.contains("`" + call), "docs/rest.md says nothing about " + call);
        }
    }

    /** What the page says of scopes is what routes take, all of them and no other. */
    @Test
    void theTableOfScopesIsThatOfTheRoutes() throws Exception {
        Map<String, String> told = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "security.md"))) {
            String[] cells = line.split(" \\| ", -1);
            if (cells.length == 3 && cells[0].matches("\\| `([a-z-]+:[a-z]+|public)`")) {
                told.put(cells[0].replaceAll("[|` ]", ""), cells[2].replaceAll(" \\|$", ""));
            }
        }
        Map<String, String> taken = new LinkedHashMap<>();
        for (Scope scope : Scope.values()) {
            String routes = ROUTES.stream()
                    .filter(route -> route.endsWith(" " + scope))
                    .map(route -> "`" + route.substring(0, route.lastIndexOf(' ')) + "`")
                    .collect(Collectors.joining("<br>"));
            taken.put(scope.toString(), routes.isEmpty() ? "none" : routes);
        }

        assertEquals(taken, told);
    }

    private static String text(JsonValue object, String member) {
        return ((JsonObject) object).get(member) instanceof JsonString(String text) ? text : "";
    }
}
