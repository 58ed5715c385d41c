package dev.flowstone.server.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.config.RateConfig;
import dev.flowstone.server.http.Allowance;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Budget;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Budgets by a clock of the test's own. */
final class RateLimitsTest {
    private static final RateConfig.Rate NONE = new RateConfig.Rate(0, 1);
    private static final RateConfig.Rate USUAL = new RateConfig.Rate(60, 120);
    private static final BudgetKey ANN = BudgetKey.of("ann");
    private static final Route HOOK = Route.post(
                    "/hooks/{name}", Scope.PUBLIC, Set.of(), BodyRule.OPTIONAL, _ -> Reply.nothing())
            .counting(Budget.WEBHOOKS);
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
    void eachWebhookHasItsOwnWhoeverCalls() {
        RateLimits limits = new RateLimits(
                new RateConfig(NONE, NONE, NONE, new RateConfig.Rate(60, 1), NONE, false), false, nanos::get);

        assertTrue(limits.take(HOOK, Map.of("name", "a"), caller("ann"))
                .orElseThrow()
                .pause()
                .isEmpty());
        assertTrue(limits.take(HOOK, Map.of("name", "a"), caller("bob"))
                .orElseThrow()
                .pause()
                .isPresent());
        assertTrue(limits.take(HOOK, Map.of("name", "b"), caller("bob"))
                .orElseThrow()
                .pause()
                .isEmpty());
        assertEquals(Optional.empty(), limits.take(LOOK, Map.of(), caller("ann")));
    }

    private boolean letsIn(RateLimits limits, Route route, Map<String, String> variables, Caller caller) {
        return limits.take(route, variables, caller).flatMap(Allowance::pause).isEmpty();
    }

    private static Caller operator() {
        return new Caller(
                Caller.Standing.OPERATOR,
                new TenantId("acme"),
                new Actor("user", "system"),
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
            assertEquals(Optional.empty(), none.take(LOOK, Map.of(), operator()));
        }
        RateLimits two = one(new RateConfig.Rate(60, 2), false);
        assertTrue(letsIn(two, LOOK, Map.of(), operator()));
        assertTrue(letsIn(two, LOOK, Map.of(), operator()));
        assertFalse(letsIn(two, LOOK, Map.of(), operator()));

        RateLimits loose = one(NONE, true);
        assertTrue(letsIn(loose, LOOK, Map.of(), operator()));
        assertFalse(letsIn(loose, LOOK, Map.of(), operator()), "where that is everybody");
    }

    @Test
    void whoeverWatchesTheInstallationIsNeverTurnedAwayAndWhoMayNotIs() {
        Route metrics = Route.get("/metrics", Scope.METRICS_READ, Set.of(), _ -> Reply.nothing());
        RateLimits limits = one(new RateConfig.Rate(60, 1), true);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(Optional.empty(), limits.take(metrics, Map.of(), operator()));
        }
        assertTrue(letsIn(limits, metrics, Map.of(), caller("ann")));
        assertFalse(letsIn(limits, metrics, Map.of(), caller("ann")));
    }

    /** Whoever makes names up gets one budget for all of them, of a size that doesn't depend on them. */
    @Test
    void namesThatNothingHasShareABudget() {
        RateLimits limits = one(NONE, false);
        assertTrue(letsIn(limits, HOOK, Map.of("name", "x".repeat(10_000)), caller("ann")));
        assertFalse(letsIn(limits, HOOK, Map.of("name", "y/../z"), caller("ann")));
        assertTrue(letsIn(limits, HOOK, Map.of("name", "z"), caller("ann")));
    }

    @Test
    void namesThatStandTogetherAreNobodyElses() {
        assertNotEquals(BudgetKey.of("a", "bc"), BudgetKey.of("ab", "c"));
        assertNotEquals(BudgetKey.of("a\nb"), BudgetKey.of("a", "b"));
        assertEquals(BudgetKey.of("a", "b"), BudgetKey.of("a", "b"));
    }
}
