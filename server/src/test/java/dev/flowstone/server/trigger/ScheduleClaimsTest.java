package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.trigger.Trigger;
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
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a look at schedules claims, on a store that gives what it is given. */
final class ScheduleClaimsTest {
    private static final Instant NOW = Instant.parse("2026-12-01T09:00:00.020Z");
    private static final Instant TICK = Instant.parse("2026-12-01T09:00:00Z");
    private static final Instant SINCE = Instant.parse("2026-11-30T00:00:00Z");
    private static final Duration HORIZON = Duration.ofMillis(500);
    private static final Lease LEASE = new Lease(new Shard(new ShardId(0), 0, 4_095, 0), "node", 1, Instant.MAX);

    private final FakeSchedules store = new FakeSchedules();
    private final ScheduleClaims claims = new ScheduleClaims(store, new RulesCache(), Duration.ofMinutes(1));

    private Trigger add(String cron, String policy, boolean enabled, Instant due) {
        return add("acme", cron, policy, enabled, due);
    }

    private Trigger add(String tenant, String cron, String policy, boolean enabled, Instant due) {
        Trigger.Mark mark = new Trigger.Mark(SINCE, new Actor("user", "ann"));
        Trigger trigger = new Trigger(
                new TriggerKey(new TenantId(tenant), TriggerId.random()),
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
        store.waiting.add(new TriggerSchedules.Scheduled(
                trigger.key(), Optional.of(trigger), new TriggerSchedules.Place(Optional.of(due), SINCE, 1), due));
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

        assertEquals(
                new ScheduleClaims.Look(0, 0, false, Optional.of(soon)), claims.look(List.of(LEASE), NOW, HORIZON));
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
        assertTrue(look.isFull());
    }

    /** It is parked like one that is off, and so makes room for others. */
    @Test
    void oneWhoseRowCannotBeReadIsParked() throws Exception {
        TriggerKey key = new TriggerKey(new TenantId("acme"), TriggerId.random());
        TriggerSchedules.Place place = new TriggerSchedules.Place(Optional.of(TICK), SINCE, 1);
        store.waiting.add(new TriggerSchedules.Scheduled(key, Optional.empty(), place, TICK));

        claims.look(List.of(LEASE), NOW, HORIZON);

        TriggerSchedules.Advance parked = store.advances.getFirst();
        assertEquals(key, parked.trigger());
        assertEquals(Optional.of(TICK), parked.due());
        assertEquals(NOW.plus(Duration.ofMinutes(5)), parked.lookAt());
    }

    /** Whose turn comes however many of another tenant's are due before. */
    @Test
    void aTenantsFloodLeavesOthersTheirTurn() throws Exception {
        for (int i = 0; i < 3 * SchedulePages.PAGE; i++) {
            add("flood", "* * * * * *", "fireAll", true, TICK.minusSeconds(50));
        }
        Trigger other = add("acme", "0 9 * * *", "skip", true, TICK);

        ScheduleClaims.Look look = claims.look(List.of(LEASE), NOW, HORIZON);

        assertTrue(look.isFull());
        assertTrue(
                store.advances.stream()
                        .anyMatch(it ->
                                it.trigger().equals(other.key()) && it.ticks().size() == 1),
                "it is claimed at the first look");
        assertTrue(store.advances.size() < SchedulePages.PAGE, "and the transaction is bounded");
    }

    /** What is late since this node looks isn't missed: something ran, and had much to do. */
    @Test
    void whatIsLateByTheNodesOwnLagFires() throws Exception {
        add("0 9 * * *", "skip", true, TICK);
        for (int second = -30; second < 300; second += 30) {
            store.isHidden = true;
            claims.look(List.of(LEASE), TICK.plusSeconds(second), HORIZON);
        }
        store.isHidden = false;

        ScheduleClaims.Look look = claims.look(List.of(LEASE), TICK.plusSeconds(300), HORIZON);

        assertEquals(new ScheduleClaims.Look(1, 0, false, Optional.empty()), look);
    }

    @Test
    void whatPassedWhileNobodyLookedIsMissedAndTold() throws Exception {
        add("0 9 * * *", "skip", true, TICK);
        store.isHidden = true;
        claims.look(List.of(LEASE), TICK.minusSeconds(30), HORIZON);
        store.isHidden = false;

        assertEquals(
                new ScheduleClaims.Look(0, 1, false, Optional.empty()),
                claims.look(List.of(LEASE), TICK.plusSeconds(300), HORIZON),
                "it stood still");
    }

    @Test
    void whatPassedWhileAnotherHadTheShardIsMissed() throws Exception {
        add("0 9 * * *", "skip", true, TICK);
        Lease before = new Lease(LEASE.shard(), LEASE.holder(), LEASE.epoch() - 1, Instant.MAX);
        for (int second = -30; second < 300; second += 30) {
            store.isHidden = true;
            claims.look(List.of(before), TICK.plusSeconds(second), HORIZON);
        }
        store.isHidden = false;

        assertEquals(
                0, claims.look(List.of(LEASE), TICK.plusSeconds(300), HORIZON).claimed());
    }

    /** One that the store refuses is parked, and no other of its batch waits for it. */
    @Test
    void oneThatCannotBeClaimedKeepsNoOtherFromFiring() throws Exception {
        Trigger poison = add("0 9 * * *", "skip", true, TICK);
        for (int i = 0; i < 5; i++) {
            add("0 9 * * *", "skip", true, TICK);
        }
        store.poison = Optional.of(poison.key());

        assertEquals(5, claims.look(List.of(LEASE), NOW, HORIZON).claimed());

        TriggerSchedules.Advance parked = store.advances.stream()
                .filter(it -> it.trigger().equals(poison.key()))
                .findFirst()
                .orElseThrow();
        assertEquals(Optional.of(TICK), parked.due());
        assertTrue(parked.ticks().isEmpty() && parked.lookAt().isAfter(NOW.plusSeconds(60)), parked::toString);
    }

    /** A time far ahead, as a clock that was wrong has left it. */
    @Test
    void oneWhoseNextTickIsFarAwayByMistakeFiresItsNextOne() throws Exception {
        Trigger trigger = add("0 9 * * *", "skip", true, Instant.parse("2099-01-01T09:00:00Z"));
        store.waiting.clear();
        store.waiting.add(new TriggerSchedules.Scheduled(
                trigger.key(),
                Optional.of(trigger),
                new TriggerSchedules.Place(Optional.of(Instant.parse("2099-01-01T09:00:00Z")), SINCE, 1),
                NOW));

        claims.look(List.of(LEASE), NOW, HORIZON);

        assertEquals(
                Optional.of(Instant.parse("2026-12-02T09:00:00Z")),
                store.advances.getFirst().due());
    }
}
