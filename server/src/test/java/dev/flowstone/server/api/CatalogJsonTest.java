package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.catalog.CatalogConnector;
import dev.flowstone.engine.catalog.OfferedConnector;
import dev.flowstone.engine.catalog.SwitchState;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Caller.Standing;
import dev.flowstone.server.http.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An operator's reason may name a tenant, and each tenant reads the catalog. */
final class CatalogJsonTest {
    private static final CatalogConnector OFF = new CatalogConnector(
            new OfferedConnector(
                    "crm",
                    "1.0.0",
                    "CRM",
                    "",
                    Optional.empty(),
                    Optional.empty(),
                    true,
                    true,
                    Optional.empty(),
                    Optional.empty(),
                    List.of()),
            true,
            new SwitchState(
                    false,
                    1,
                    Optional.of(new SwitchState.Change(
                            Instant.EPOCH, new Actor("user", "ann"), Optional.of("acme's customers are flooded")))),
            Instant.EPOCH);

    private static String told(Standing standing, Scope scope) {
        Caller reader = new Caller(standing, new TenantId("globex"), new Actor("user", "bob"), Set.of(), Set.of(scope));
        return CanonicalJson.exactText(
                CatalogJson.connector(OFF, reader).find("switch").orElseThrow());
    }

    @Test
    void whoTurnedItOffAndWhyIsToldToWhoMayDoSo() {
        String on = "\"on\":false";
        String reason = "\"reason\":\"acme's customers are flooded\"";
        assertEquals(
                "{\"changedAt\":\"1970-01-01T00:00:00Z\",\"changedBy\":null," + on + ",\"reason\":null,\"revision\":1}",
                told(Standing.TENANT, Scope.WORKFLOWS_READ));
        assertEquals(
                "{\"changedAt\":\"1970-01-01T00:00:00Z\",\"changedBy\":\"user:ann\"," + on + "," + reason
                        + ",\"revision\":1}",
                told(Standing.OPERATOR, Scope.CONTROL_SYSTEM));
    }
}
