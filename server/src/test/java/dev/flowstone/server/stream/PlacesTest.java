package dev.flowstone.server.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Scope;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Readers of events leave places to others. */
final class PlacesTest {
    private static Caller caller(Caller.Standing standing, String tenant, String name) {
        return new Caller(standing, new TenantId(tenant), new Actor("user", name), Set.of(), Set.of(Scope.EVENTS_READ));
    }

    private static int taken(Places places, Caller caller) {
        int taken = 0;
        while (places.take(caller)) {
            taken++;
        }
        return taken;
    }

    @Test
    void aPrincipalLeavesThemToOthersOfItsTenant() {
        Places places = new Places(100, 10);
        Caller ann = caller(Caller.Standing.TENANT, "acme", "ann");

        assertEquals(10, taken(places, ann));
        assertFalse(places.has(ann));
        assertEquals(10, taken(places, caller(Caller.Standing.TENANT, "acme", "bob")));
        assertEquals(10, taken(places, caller(Caller.Standing.TENANT, "globex", "ann")), "who is another ann");
        places.giveBack(ann);
        assertEquals(1, taken(places, ann));
    }

    @Test
    void aTenantLeavesThemToOthers() {
        Places places = new Places(90, 10);
        int taken = 0;
        for (int i = 0; i < 20; i++) {
            taken += taken(places, caller(Caller.Standing.TENANT, "acme", "user" + i));
        }
        assertTrue(taken < 90, "taken " + taken);
        assertTrue(places.take(caller(Caller.Standing.TENANT, "globex", "ann")));
    }

    @Test
    void whoRunsTheInstallationIsBoundedAsATenant() {
        int taken = taken(new Places(90, 10), caller(Caller.Standing.OPERATOR, "acme", "system"));
        assertTrue(taken > 10 && taken < 90, "taken " + taken);
    }
}
