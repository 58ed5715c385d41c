package dev.flowstone.server.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
        Buckets buckets = new Buckets(USUAL, nanos::get);
        for (int i = 1; i <= 120; i++) {
            Allowance allowance = buckets.take("ann", "this caller");
            assertEquals(Optional.empty(), allowance.pause(), "call " + i);
            assertEquals(120 - i, allowance.left());
        }
        assertEquals(Optional.of(Duration.ofSeconds(1)), buckets.take("ann", "").pause());

        pass(Duration.ofMillis(400));
        assertEquals(
                Optional.of(Duration.ofMillis(600)), buckets.take("ann", "").pause(), "a refusal costs nothing");
        pass(Duration.ofMillis(600));
        assertEquals(Optional.empty(), buckets.take("ann", "").pause());
        pass(Duration.ofSeconds(30));
        assertEquals(29, buckets.take("ann", "").left());
        pass(Duration.ofDays(1));
        assertEquals(119, buckets.take("ann", "").left(), "and no more than full");
    }

    @Test
    void whoIsForgottenHasAFullOneAndMemoryIsBounded() {
        Buckets buckets = new Buckets(new RateConfig.Rate(1, 1), nanos::get);
        assertTrue(buckets.take("ann", "").pause().isEmpty());
        assertTrue(buckets.take("ann", "").pause().isPresent());
        for (int i = 0; i < Buckets.MOST; i++) {
            assertTrue(buckets.take("other" + i, "").pause().isEmpty());
        }
        assertEquals(Buckets.MOST, buckets.size());
        assertTrue(buckets.take("ann", "").pause().isEmpty());
    }

    @Test
    void eachWebhookHasItsOwnWhoeverCalls() {
        RateLimits limits =
                new RateLimits(new RateConfig(NONE, NONE, new RateConfig.Rate(60, 1), NONE, false), nanos::get);

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
}
