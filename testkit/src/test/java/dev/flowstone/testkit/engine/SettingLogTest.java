package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.control.SettingMode;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which setting governs a workflow's runs, and since when (R25). */
final class SettingLogTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final WorkflowId ORDERS = new WorkflowId("orders");
    private static final SettingScope SYSTEM = new SettingScope.Everything();
    private static final SettingScope TENANT = new SettingScope.Tenant(ACME);
    private static final SettingScope WORKFLOW = new SettingScope.Workflow(ACME, ORDERS);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private SettingLog log = SettingLog.EMPTY;

    /** One change a minute. */
    private void set(SettingScope scope, SettingMode mode) {
        long number = log.newest() + 1;
        Duration life = mode == SettingMode.DRAIN ? Duration.ofMinutes(5) : Duration.ZERO;
        log = log.with(List.of(new ScopeSetting(
                number,
                NOON.plus(Duration.ofMinutes(number)),
                scope,
                mode,
                HoldPolicy.DEFAULT,
                life,
                "why " + number,
                new Actor("user", "ann"))));
    }

    private List<String> timeline() {
        return log.timeline(ACME, ORDERS).stream()
                .map(setting -> setting.number() + " " + setting.mode() + " " + setting.scope())
                .toList();
    }

    @Test
    void theNarrowestScopeThatHasASettingGoverns() {
        set(SYSTEM, SettingMode.SUSPEND);
        set(WORKFLOW, SettingMode.GO);
        set(TENANT, SettingMode.DRAIN);
        set(WORKFLOW, SettingMode.CLEAR);
        set(TENANT, SettingMode.CLEAR);
        set(SYSTEM, SettingMode.CLEAR);

        assertEquals(
                List.of(
                        "1 SUSPEND system",
                        "2 GO workflow/orders",
                        "4 DRAIN tenant/acme",
                        "5 SUSPEND system",
                        "6 GO system"),
                timeline());
        assertTrue(log.holding(ACME, ORDERS).isEmpty());
    }

    @Test
    void whatConcernsOthersOrChangesNothingIsNoChange() {
        set(new SettingScope.Tenant(new TenantId("other")), SettingMode.SUSPEND);
        set(new SettingScope.Workflow(ACME, new WorkflowId("bills")), SettingMode.SUSPEND);
        set(TENANT, SettingMode.GO);
        set(WORKFLOW, SettingMode.SUSPEND);
        set(TENANT, SettingMode.SUSPEND);
        set(SYSTEM, SettingMode.DRAIN);

        assertEquals(List.of("4 SUSPEND workflow/orders"), timeline());
    }

    @Test
    void aSuspensionThatIsAskedForAgainIsANewOne() {
        set(TENANT, SettingMode.SUSPEND);
        set(TENANT, SettingMode.SUSPEND);

        assertEquals(List.of("1 SUSPEND tenant/acme", "2 SUSPEND tenant/acme"), timeline());
    }

    @Test
    void aDrainThatWasHiddenHasWhatIsLeftOfItsTime() {
        set(TENANT, SettingMode.DRAIN);
        set(WORKFLOW, SettingMode.SUSPEND);
        set(WORKFLOW, SettingMode.CLEAR);

        assertEquals(Duration.ofMinutes(3), log.timeline(ACME, ORDERS).getLast().timeToLive());
    }

    @Test
    void rowsThatDoNotFollowAreRefused() {
        set(TENANT, SettingMode.DRAIN);
        ScopeSetting first = log.row(1);

        assertThrows(IllegalStateException.class, () -> log.with(List.of(first)));
    }
}
