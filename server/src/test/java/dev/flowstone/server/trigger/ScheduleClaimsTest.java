package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a look at schedules claims, on a store that gives what it is given. */
final class ScheduleClaimsTest {
    private static final Instant NOW = Instant.parse("2026-12-01T09:00:00.020Z");
    private static final Instant TICK = Instant.parse("2026-12-01T09:00:00Z");
    private static final Instant SINCE = Instant.parse("2026-11-30T00:00:00Z");
    private static final Duration HORIZON = Duration.ofMillis(500);
    private static final Lease LEASE = new Lease(new Shard(new ShardId(0), 0, 4_095, 0), "node", 1, Instant.MAX);

    private final Store store = new Store();
    private final ScheduleClaims claims = new ScheduleClaims(store, new RulesCache(), Duration.ofMinutes(1));

    private static final class Store implements TriggerSchedules {
        private final List<Scheduled> waiting = new ArrayList<>();
        private List<Advance> advances = List.of();

        @Override
        public List<Scheduled> waiting(Collection<Lease> mine, Instant until, int limit) {
            return waiting.stream()
                    .filter(it -> !it.lookAt().isAfter(until))
                    .limit(limit)
                    .toList();
        }

        @Override
        public Set<UUID> advance(List<Advance> steps) {
            advances = steps;
            return steps.stream()
                    .flatMap(it -> it.ticks().stream())
                    .map(it -> it.arrival().id())
                    .collect(Collectors.toSet());
        }

        @Override
        public List<OpenTick> open(Collection<Lease> mine, Instant now, int limit) {
            return List.of();
        }

        @Override
        public void defer(List<Deferred> ticks) {
            throw new AssertionError("claims defer nothing");
        }

        @Override
        public void close(List<Settled> settled) {
            throw new AssertionError("claims settle nothing");
        }
    }

    private Trigger add(String cron, String policy, boolean enabled, Instant due) {
        Trigger.Mark mark = new Trigger.Mark(SINCE, new Actor("user", "ann"));
        Trigger trigger = new Trigger(
                new TriggerKey(new TenantId("acme"), TriggerId.random()),
                1,
                new Trigger.Target(new WorkflowId("order"), WorkflowStatus.ACTIVE, true),
                TriggerKind.SCHEDULE,
                enabled,
                JsonObject.builder()
                        .put("cron", cron)
                        .put("timeZone", "UTC")
                        .put("missedFirePolicy", policy)
                        .put("maxMissed", 1_000)
                        .build(),
                0,
                Optional.empty(),
                mark,
                mark);
        store.waiting.add(
                new TriggerSchedules.Scheduled(trigger, new TriggerSchedules.Place(Optional.of(due), SINCE, 1), due));
        return trigger;
    }

    @Test
    void oneThatCannotBeReadKeepsNoOtherFromFiring() throws Exception {
        Trigger broken = add("every day", "skip", true, TICK);
        Trigger daily = add("0 9 * * *", "skip", true, TICK);

        ScheduleClaims.Look look = claims.look(List.of(LEASE), NOW, HORIZON);

        assertEquals(1, look.claimed());
        assertEquals(
                List.of(broken.key(), daily.key()),
                store.advances.stream().map(TriggerSchedules.Advance::trigger).toList());
        TriggerSchedules.Advance parked = store.advances.getFirst();
        assertTrue(parked.ticks().isEmpty() && parked.lookAt().isAfter(NOW.plusSeconds(60)), parked::toString);
        assertEquals(Optional.of(TICK), parked.due(), "once it can be read, the policy says what becomes of it");
    }

    @Test
    void oneThatIsOffWaitsAsItIs() throws Exception {
        add("0 9 * * *", "fireAll", false, TICK);

        assertEquals(0, claims.look(List.of(LEASE), NOW, HORIZON).claimed());

        TriggerSchedules.Advance parked = store.advances.getFirst();
        assertEquals(Optional.of(TICK), parked.due());
        assertTrue(parked.lookAt().isAfter(NOW.plusSeconds(60)), parked::toString);
    }

    @Test
    void whatComesSoonIsToldAndNothingIsClaimedEarly() throws Exception {
        Instant soon = NOW.plusMillis(300);
        add("0 9 * * *", "skip", true, soon);

        assertEquals(new ScheduleClaims.Look(0, false, Optional.of(soon)), claims.look(List.of(LEASE), NOW, HORIZON));
        assertEquals(List.of(), store.advances);
    }

    @Test
    void aTransactionIsBoundedAndTheRestIsDueAtOnce() throws Exception {
        for (int i = 0; i < 3; i++) {
            add("* * * * * *", "fireAll", true, SINCE.plusSeconds(1));
        }

        ScheduleClaims.Look look = claims.look(List.of(LEASE), NOW, HORIZON);

        assertEquals(2, store.advances.size());
        assertEquals(2 * 1_060, look.claimed(), "a thousand that were missed, and what is late by a minute at most");
        assertEquals(Optional.of(NOW), look.next());
        assertFalse(look.isFull());
    }
}
