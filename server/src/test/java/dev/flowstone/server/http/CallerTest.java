package dev.flowstone.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What concerns all tenants is for who runs the installation: nothing makes it a tenant's. */
final class CallerTest {
    private static Caller caller(Caller.Standing standing, Set<Scope> scopes) {
        return new Caller(standing, new TenantId("acme"), new Actor("user", "ann"), Set.of("admin"), scopes);
    }

    @Test
    void metricsAndTheSystemsHoldsConcernAllTenants() {
        assertEquals(
                EnumSet.of(Scope.METRICS_READ, Scope.CONTROL_SYSTEM),
                EnumSet.complementOf(EnumSet.copyOf(Scope.ofATenant())));
    }

    @ParameterizedTest
    @EnumSource(Scope.class)
    void aTenantsCallerIsNeverGivenWhatConcernsAllTenants(Scope scope) {
        Set<Scope> granted = EnumSet.of(Scope.WORKFLOWS_READ, scope);

        if (scope.isOfTheInstallation()) {
            String why = assertThrows(IllegalArgumentException.class, () -> caller(Caller.Standing.TENANT, granted))
                    .getMessage();
            assertTrue(why != null && why.contains(scope.toString()), why);
        } else {
            assertEquals(granted, caller(Caller.Standing.TENANT, granted).scopes());
        }
        assertEquals(granted, caller(Caller.Standing.OPERATOR, granted).scopes());
    }

    @Test
    void aTenantWithEveryRightOfATenantIsRefusedTheMetrics() {
        assertEquals(403, statusOf("/metrics", caller(Caller.Standing.TENANT, Scope.ofATenant())));
        assertEquals(200, statusOf("/its-own", caller(Caller.Standing.TENANT, Scope.ofATenant())));
        assertEquals(200, statusOf("/metrics", caller(Caller.Standing.OPERATOR, EnumSet.allOf(Scope.class))));
    }

    private static int statusOf(String path, Caller caller) {
        Handler answers = call -> Reply.json(200, JsonObject.EMPTY);
        Routes routes = new Routes(List.of(
                Route.get("/metrics", Scope.METRICS_READ, Set.of(), answers),
                Route.get("/its-own", Scope.EXECUTIONS_CONTROL, Set.of(), answers)));
        Border border = new Border(routes, headers -> caller, new Hosts(), Watch.NONE, Bounds.of(1_000, 10));
        Request request = new Request(
                "GET", path, "", new Headers(name -> List.of(), List::of), OptionalLong.empty(), BodyStream.none());
        return border.answer(request).status();
    }
}
