package dev.flowstone.server.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.config.RateConfig;
import dev.flowstone.server.http.Allowance;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Budgets by a clock of the test's own. */
final class RateLimitsTest {
    private static final RateConfig.Rate NONE = new RateConfig.Rate(0, 1);
    private static final RateConfig.Rate USUAL = new RateConfig.Rate(60, 120);
    private static final BudgetKey ANN = BudgetKey.of("ann");
    private static final Route LOOK = Route.get("/look", Scope.EXECUTIONS_READ, Set.of(), _ -> Reply.nothing());

    private final AtomicLong nanos = new AtomicLong(-Duration.ofDays(1).toNanos());

    private static Caller caller(String name) {
        return new Caller(
                Caller.Standing.TENANT, new TenantId("acme"), new Actor("user", name), Set.of(), Set.of(Scope.PUBLIC));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void aFullBudgetHoldsItsBurstAndFillsEvenly() {
        Buckets buckets = new Buckets(USUAL, "this caller", nanos::get);
        for (int i = 1; i <= 120; i++) {
            Allowance allowance = buckets.take(ANN);
            assertEquals(Optional.empty(), allowance.pause(), "call " + i);
            assertEquals(120 - i, allowance.left());
        }
        assertEquals(Optional.of(Duration.ofSeconds(1)), buckets.take(ANN).pause());

        pass(Duration.ofMillis(400));
        assertEquals(Optional.of(Duration.ofMillis(600)), buckets.take(ANN).pause(), "a refusal costs nothing");
        pass(Duration.ofMillis(600));
        assertEquals(Optional.empty(), buckets.take(ANN).pause());
        pass(Duration.ofSeconds(30));
        assertEquals(29, buckets.take(ANN).left());
        pass(Duration.ofDays(1));
        assertEquals(119, buckets.take(ANN).left(), "and no more than full");
    }

    @Test
    void whoIsForgottenHasAFullOneAndMemoryIsBounded() {
        Buckets buckets = new Buckets(new RateConfig.Rate(1, 1), "this caller", nanos::get);
        assertTrue(buckets.take(ANN).pause().isEmpty());
        assertTrue(buckets.take(ANN).pause().isPresent());
        for (int i = 0; i < Buckets.MOST; i++) {
            assertTrue(buckets.take(BudgetKey.of("other" + i)).pause().isEmpty());
        }
        assertEquals(Buckets.MOST, buckets.size());
        assertTrue(buckets.take(ANN).pause().isEmpty());
    }

    @Test
    void eachWebhookHasItsOwn() {
        RateLimits limits = new RateLimits(
                new RateConfig(NONE, NONE, NONE, new RateConfig.Rate(60, 1), NONE, false), false, nanos::get);

        assertTrue(letsIn(limits, "a"));
        assertFalse(letsIn(limits, "a"));
        assertTrue(letsIn(limits, "b"));
        limits.giveBack("a");
        assertTrue(letsIn(limits, "a"), "as if one had never come");
        assertFalse(letsIn(limits, "a"));
        assertEquals(Optional.empty(), limits.take(LOOK, caller("ann")));
    }

    private static boolean letsIn(RateLimits limits, String webhook) {
        return limits.webhook(webhook).flatMap(Allowance::pause).isEmpty();
    }

    private static boolean letsIn(RateLimits limits, Route route, Caller caller) {
        return limits.take(route, caller).flatMap(Allowance::pause).isEmpty();
    }

    private static Caller operator() {
        return operator("system");
    }

    private static Caller operator(String name) {
        return new Caller(
                Caller.Standing.OPERATOR,
                new TenantId("acme"),
                new Actor("user", name),
                Set.of(),
                Set.of(Scope.values()));
    }

    private RateLimits one(RateConfig.Rate operators, boolean everybody) {
        RateConfig.Rate one = new RateConfig.Rate(60, 1);
        return new RateLimits(new RateConfig(one, operators, one, one, one, false), everybody, nanos::get);
    }

    @Test
    void whoRunsTheInstallationHasABudgetOfTheirOwnOrNone() {
        RateLimits none = one(NONE, false);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(Optional.empty(), none.take(LOOK, operator()));
        }
        RateLimits two = one(new RateConfig.Rate(60, 2), false);
        assertTrue(letsIn(two, LOOK, operator()));
        assertTrue(letsIn(two, LOOK, operator()));
        assertFalse(letsIn(two, LOOK, operator()));
        assertFalse(letsIn(two, LOOK, operator("another")), "whatever they call themselves");

        RateLimits loose = one(NONE, true);
        assertTrue(letsIn(loose, LOOK, operator()));
        assertFalse(letsIn(loose, LOOK, operator()), "where that is everybody");
    }

    @Test
    void whoeverWatchesTheInstallationIsNeverTurnedAwayAndWhoMayNotIs() {
        Route metrics = Route.get("/metrics", Scope.METRICS_READ, Set.of(), _ -> Reply.nothing());
        RateLimits limits = one(new RateConfig.Rate(60, 1), true);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(Optional.empty(), limits.take(metrics, operator()));
        }
        assertTrue(letsIn(limits, metrics, caller("ann")));
        assertFalse(letsIn(limits, metrics, caller("ann")));
    }

    /** Whoever proves nothing shares one budget with all others who don't, and takes nothing of anybody's. */
    @Test
    void whatIsUnprovenSharesOneBudgetThatIsNoWebhooks() {
        RateLimits limits = one(NONE, false);
        assertTrue(letsIn(limits, "a"));
        assertTrue(limits.unproven().flatMap(Allowance::pause).isEmpty());
        for (int i = 0; i < 2 * Buckets.MOST; i++) {
            assertTrue(limits.unproven().flatMap(Allowance::pause).isPresent());
        }
        assertFalse(letsIn(limits, "a"), "it isn't forgotten for their sake");
        assertTrue(letsIn(limits, "b"));
    }

    @Test
    void whoIsNoWorkerHasNoWorkersBudget() {
        Route claim = Route.get("/claim", Scope.TASKS_WORK, Set.of(), _ -> Reply.nothing());
        RateConfig.Rate one = new RateConfig.Rate(60, 1);
        RateConfig.Rate many = new RateConfig.Rate(60, 1_000);
        RateLimits limits = new RateLimits(new RateConfig(one, NONE, many, one, one, false), false, nanos::get);
        Caller worker = new Caller(
                Caller.Standing.TENANT,
                new TenantId("acme"),
                new Actor("user", "bob"),
                Set.of(),
                Set.of(Scope.TASKS_WORK));

        assertTrue(letsIn(limits, claim, worker));
        assertTrue(letsIn(limits, claim, worker));
        assertTrue(letsIn(limits, claim, caller("ann")));
        assertFalse(letsIn(limits, claim, caller("ann")));
    }

    @Test
    void whatIsGivenBackIsThereAgain() {
        RateLimits limits = one(NONE, false);
        TenantId acme = new TenantId("acme");
        WorkflowId echo = new WorkflowId("echo");
        limits.giveBack(acme, echo);
        assertEquals(0, limits.start(acme, echo).orElseThrow().left());
        assertTrue(limits.start(acme, echo).orElseThrow().pause().isPresent());
        limits.giveBack(acme, echo);
        assertTrue(limits.start(acme, echo).orElseThrow().pause().isEmpty());
        assertTrue(limits.start(acme, echo).orElseThrow().pause().isPresent());
    }

    @Test
    void namesThatStandTogetherAreNobodyElses() {
        assertNotEquals(BudgetKey.of("a", "bc"), BudgetKey.of("ab", "c"));
        assertNotEquals(BudgetKey.of("a\nb"), BudgetKey.of("a", "b"));
        assertEquals(BudgetKey.of("a", "b"), BudgetKey.of("a", "b"));
    }
}
