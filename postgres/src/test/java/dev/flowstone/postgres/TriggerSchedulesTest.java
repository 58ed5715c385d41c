package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerDeliveries.Delivery;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.engine.trigger.TriggerSchedules.Advance;
import dev.flowstone.engine.trigger.TriggerSchedules.Claim;
import dev.flowstone.engine.trigger.TriggerSchedules.Deferred;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.engine.trigger.TriggerSchedules.Scheduled;
import dev.flowstone.engine.trigger.Triggers.Change;
import dev.flowstone.engine.trigger.Triggers.Wish;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schedules: claimed once, by who holds their shard; ticks open until they are settled. */
final class TriggerSchedulesTest extends PostgresTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final WorkflowId ORDER = new WorkflowId("order");
    private static final Actor ANN = new Actor("user", "ann");
    private static final Instant TICK = Instant.parse("2999-12-01T09:00:00Z");
    private static final Instant NEXT = Instant.parse("2999-12-02T09:00:00Z");
    private static final Instant EVER = Instant.parse("9000-01-01T00:00:00Z");

    private Lease lower;
    private Lease upper;

    /** Filled before each test. */
    @SuppressWarnings("NullAway.Init")
    TriggerSchedulesTest() {}

    @BeforeEach
    void shards() throws Exception {
        lower = lease(0);
        upper = lease(1);
        workflow(WorkflowStatus.ACTIVE, 0);
    }

    private List<Lease> both() {
        return List.of(lower, upper);
    }

    private Lease of(TriggerKey key) {
        return both().stream()
                .filter(lease -> lease.shard().holds(key.slot()))
                .findFirst()
                .orElseThrow();
    }

    private void workflow(WorkflowStatus status, long revision) throws Exception {
        byte[] bytes = "order".getBytes(StandardCharsets.UTF_8);
        Sha256 hash = Sha256.digest(bytes);
        Instant now = Instant.now();
        WorkflowRow row = new WorkflowRow(
                ACME,
                ORDER,
                "Order",
                Optional.empty(),
                status,
                status == WorkflowStatus.ACTIVE,
                1,
                1,
                Optional.empty(),
                now,
                now,
                revision);
        Optional<WorkflowVersion> version = revision == 0
                ? Optional.of(new WorkflowVersion(ACME, ORDER, 1, bytes, hash, hash, bytes, now))
                : Optional.empty();
        assertTrue(opened().ports().workflows().save(row, revision, version).isPresent());
    }

    private TriggerSchedules schedules() {
        return opened().triggers().schedules();
    }

    private static Wish wish(String cron) {
        return new Wish(JsonObject.builder().put("cron", cron).build(), Optional.empty(), Optional.empty());
    }

    private Trigger made(TenantId tenant) throws Exception {
        Change change = opened().triggers()
                .create(
                        new TriggerKey(tenant, TriggerId.random()),
                        ORDER,
                        TriggerKind.SCHEDULE,
                        true,
                        wish("@daily"),
                        Optional.empty(),
                        ANN);
        return assertInstanceOf(Change.Made.class, change).trigger();
    }

    private Scheduled only() throws Exception {
        List<Scheduled> found = schedules().waiting(both(), EVER, Set.of(), 10);
        assertEquals(1, found.size());
        return found.getFirst();
    }

    private static Advance step(Lease lease, Scheduled from, Instant... ticks) {
        TriggerKey key = from.key();
        List<Claim> claims = new ArrayList<>();
        for (Instant tick : ticks) {
            claims.add(new Claim(Arrival.tick(key, tick, Instant.now().truncatedTo(ChronoUnit.MICROS)), key.slot()));
        }
        return new Advance(lease, key, from.place(), Optional.of(NEXT), NEXT, claims);
    }

    private List<Delivery> deliveries(Trigger trigger) throws Exception {
        return opened().triggers().deliveries().list(trigger.key(), Optional.empty(), 10);
    }

    @Test
    void aTickIsClaimedStartedAndSettledOnce() throws Exception {
        Trigger trigger = made(ACME);
        Scheduled fresh = only();
        assertEquals(Optional.of(trigger), fresh.trigger());
        assertEquals(Optional.empty(), fresh.place().due());
        assertTrue(!fresh.lookAt().isAfter(Instant.now().plusSeconds(60)), "somebody has to look at it at once");

        Advance step = step(of(trigger.key()), fresh, TICK);
        Set<UUID> claimed = schedules().advance(List.of(step));
        assertEquals(Set.of(step.ticks().getFirst().arrival().id()), claimed);
        assertEquals(Set.of(), schedules().advance(List.of(step)), "it has moved on");

        Scheduled moved = only();
        assertEquals(Optional.of(NEXT), moved.place().due());
        assertEquals(NEXT, moved.lookAt());
        Delivery received = deliveries(trigger).getFirst();
        assertEquals(Optional.empty(), received.result());
        assertEquals(TICK.toString(), received.arrival().delivery());
        assertEquals(TriggerKind.SCHEDULE, received.arrival().source());

        OpenTick open = schedules().open(both(), EVER, Set.of(), Set.of(), 10).getFirst();
        assertEquals(received.arrival(), open.arrival());
        assertEquals(TICK, open.tick());
        assertEquals(0, open.tries());
        assertEquals(Optional.empty(), open.firstTried());
        Instant before = schedules().now();
        schedules().defer(List.of(new Deferred(open.arrival(), Duration.ofMinutes(1))));
        Instant later = before.plusSeconds(60);
        assertEquals(List.of(), schedules().open(both(), later.minusMillis(1), Set.of(), Set.of(), 10));
        OpenTick tried = schedules()
                .open(both(), later.plusSeconds(60), Set.of(), Set.of(), 10)
                .getFirst();
        assertEquals(1, tried.tries());
        assertTrue(!tried.firstTried().orElseThrow().isBefore(before), tried::toString);
        schedules().defer(List.of(new Deferred(open.arrival(), Duration.ZERO)));
        OpenTick again = schedules().open(both(), EVER, Set.of(), Set.of(), 10).getFirst();
        assertEquals(2, again.tries());
        assertEquals(tried.firstTried(), again.firstTried(), "patience counts from the first");

        Settled settled = new Settled(trigger.key(), open.arrival().id(), Result.ignored("no"));
        schedules().close(List.of(settled));
        assertEquals(List.of(), schedules().open(both(), EVER, Set.of(), Set.of(), 10));
        assertEquals(
                Optional.of(Result.ignored("no")),
                deliveries(trigger).getFirst().result());
        schedules().close(List.of(new Settled(trigger.key(), open.arrival().id(), Result.refused("X", "late"))));
        assertEquals(
                Optional.of(Result.ignored("no")),
                deliveries(trigger).getFirst().result(),
                "what was settled is");
    }

    /** Case 19: also if the schedule is set back to where it was. */
    @Test
    void theSameTickIsNeverClaimedAgain() throws Exception {
        Trigger trigger = made(ACME);
        assertEquals(
                1,
                schedules()
                        .advance(List.of(step(of(trigger.key()), only(), TICK)))
                        .size());

        assertEquals(Set.of(), schedules().advance(List.of(step(of(trigger.key()), only(), TICK))), "it is a delivery");
        assertEquals(1, deliveries(trigger).size());
        assertEquals(1, schedules().open(both(), EVER, Set.of(), Set.of(), 10).size());
    }

    @Test
    void ofManyWhoRaceOneClaims() throws Exception {
        for (int i = 0; i < 20; i++) {
            made(ACME);
        }
        List<Scheduled> found = schedules().waiting(both(), EVER, Set.of(), 100);
        List<Callable<Set<UUID>>> racers = new ArrayList<>();
        for (int racer = 0; racer < 8; racer++) {
            List<Advance> own =
                    found.stream().map(it -> step(of(it.key()), it, TICK)).toList();
            List<Advance> ordered = racer % 2 == 0 ? own : own.reversed();
            racers.add(() -> schedules().advance(ordered));
        }
        Set<UUID> claimed = new HashSet<>();
        int count = 0;
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            for (Future<Set<UUID>> won : pool.invokeAll(racers)) {
                count += won.get().size();
                claimed.addAll(won.get());
            }
        }
        assertEquals(20, count);
        assertEquals(20, claimed.size());
        assertEquals(20, schedules().open(both(), EVER, Set.of(), Set.of(), 100).size());
    }

    @Test
    void whoNoLongerHoldsTheShardClaimsNothing() throws Exception {
        made(ACME);
        Scheduled one = only();
        Lease holder = of(one.key());
        for (Lease stale : List.of(
                new Lease(holder.shard(), holder.holder(), holder.epoch() - 1, holder.until()),
                new Lease(holder.shard(), "somebody", holder.epoch(), holder.until()))) {
            assertEquals(Set.of(), schedules().advance(List.of(step(stale, one, TICK))));
        }
        assertEquals(one, only());
        assertEquals(List.of(), deliveries(one.trigger().orElseThrow()));
        assertEquals(1, schedules().advance(List.of(step(holder, one, TICK))).size());
    }

    @Test
    void eachShardHasItsOwn() throws Exception {
        while (schedules().waiting(List.of(lower), EVER, Set.of(), 100).isEmpty()
                || schedules().waiting(List.of(upper), EVER, Set.of(), 100).isEmpty()) {
            made(ACME);
        }
        List<Scheduled> low = schedules().waiting(List.of(lower), EVER, Set.of(), 100);
        List<Scheduled> all = schedules().waiting(both(), EVER, Set.of(), 100);
        assertTrue(low.stream().allMatch(it -> lower.shard().holds(it.key().slot())));
        assertEquals(
                all.size(),
                low.size()
                        + schedules()
                                .waiting(List.of(upper), EVER, Set.of(), 100)
                                .size());
        schedules().advance(all.stream().map(it -> step(of(it.key()), it, TICK)).toList());
        assertEquals(
                low.size(),
                schedules().open(List.of(lower), EVER, Set.of(), Set.of(), 100).size());
        assertEquals(List.of(), schedules().open(List.of(), EVER, Set.of(), Set.of(), 100));
    }

    /** What others have changed since it was read is looked at again. */
    @Test
    void changesAreSeenAndCountFromThen() throws Exception {
        Trigger trigger = made(ACME);
        TriggerKey key = trigger.key();
        schedules().advance(List.of(step(of(key), only())));

        Scheduled before = only();
        opened().triggers().enable(key, false, OptionalLong.empty(), ANN);
        assertEquals(Set.of(), schedules().advance(List.of(step(of(key), before, TICK))), "it was turned off");
        opened().triggers().enable(key, true, OptionalLong.empty(), ANN);
        Scheduled on = only();
        assertTrue(on.place().since().isAfter(before.place().since()));
        assertTrue(on.lookAt().isBefore(NEXT));
        assertEquals(Optional.of(NEXT), on.place().due(), "the policy says what becomes of it");

        opened().triggers().update(key, Optional.empty(), wish("@daily"), OptionalLong.empty(), ANN);
        assertEquals(on.place(), only().place(), "it is the same schedule: what is due is due");
        opened().triggers().update(key, Optional.of(false), wish("@daily"), OptionalLong.empty(), ANN);
        opened().triggers().update(key, Optional.of(true), wish("@daily"), OptionalLong.empty(), ANN);
        assertTrue(only().place().since().isAfter(on.place().since()), "it was turned off and on");
        opened().triggers().update(key, Optional.empty(), wish("@hourly"), OptionalLong.empty(), ANN);
        assertEquals(Optional.empty(), only().place().due(), "it is another one");
        assertTrue(only().place().turn() > on.place().turn());
    }

    /** Its state is read, whoever changed it; that it is active again wakes who reads. */
    @Test
    void aWorkflowThatIsTakenIntoUseAgainWakesItsSchedules() throws Exception {
        Trigger trigger = made(ACME);
        schedules().advance(List.of(step(of(trigger.key()), only())));
        Scheduled before = only();

        workflow(WorkflowStatus.ARCHIVED, 1);
        assertTrue(!only().trigger().orElseThrow().fires());
        assertEquals(before.place(), only().place(), "nothing is written");
        workflow(WorkflowStatus.ACTIVE, 2);

        Scheduled woken = only();
        assertTrue(woken.trigger().orElseThrow().fires());
        assertTrue(woken.place().since().isAfter(before.place().since()));
        assertTrue(woken.lookAt().isBefore(NEXT));
        workflow(WorkflowStatus.ACTIVE, 3);
        assertEquals(woken.place(), only().place(), "it was active");
    }

    @Test
    void theyGoWithTheTrigger() throws Exception {
        Trigger trigger = made(ACME);
        schedules().advance(List.of(step(of(trigger.key()), only(), TICK)));

        opened().triggers().remove(trigger.key(), OptionalLong.empty());

        assertEquals(List.of(), schedules().waiting(both(), EVER, Set.of(), 10));
        assertEquals(List.of(), schedules().open(both(), EVER, Set.of(), Set.of(), 10));
        assertEquals(0, number("SELECT count(*) FROM flowstone.trigger_ticks"));
    }

    /** What can't be read is found like any other, so that it doesn't stand in the way for ever. */
    @Test
    void oneWhoseRowCannotBeReadIsFoundWithItsPlace() throws Exception {
        Trigger trigger = made(ACME);
        schedules().advance(List.of(step(of(trigger.key()), only(), TICK)));
        admin("UPDATE flowstone.triggers SET config = 'no json'");

        Scheduled found = only();

        assertEquals(trigger.key(), found.key());
        assertEquals(Optional.empty(), found.trigger());
        assertEquals(Optional.of(NEXT), found.place().due());
        OpenTick open = schedules().open(both(), EVER, Set.of(), Set.of(), 10).getFirst();
        assertEquals(Optional.empty(), open.trigger());
        assertEquals(trigger.key(), open.arrival().trigger());
        schedules().close(List.of(new Settled(trigger.key(), open.arrival().id(), Result.refused("X", "unreadable"))));
        assertEquals(List.of(), schedules().open(both(), EVER, Set.of(), Set.of(), 10));
    }

    @Test
    void tenantsAndTicksAreLeftOut() throws Exception {
        Trigger trigger = made(ACME);
        assertEquals(List.of(), schedules().waiting(both(), EVER, Set.of(ACME), 10));
        assertEquals(
                1,
                schedules()
                        .waiting(both(), EVER, Set.of(new TenantId("other")), 10)
                        .size());
        schedules().advance(List.of(step(of(trigger.key()), only(), TICK)));
        UUID id = schedules()
                .open(both(), EVER, Set.of(), Set.of(), 10)
                .getFirst()
                .arrival()
                .id();
        assertEquals(List.of(), schedules().open(both(), EVER, Set.of(ACME), Set.of(), 10));
        assertEquals(List.of(), schedules().open(both(), EVER, Set.of(), Set.of(id), 10));
    }

    /** What a tenant piles up is bounded, and what is beyond is told. */
    @Test
    void whatIsClaimedBeyondTheBoundIsRefused() throws Exception {
        Trigger trigger = made(ACME);
        admin("""
                INSERT INTO flowstone.trigger_ticks (tenant, trigger_id, id, slot, tick, claimed_at, try_at)
                SELECT s.tenant, s.trigger_id, gen_random_uuid(), 0, now(), now(), now()
                FROM flowstone.trigger_schedules s, generate_series(2, %s)
                """.formatted(TriggerSchedules.MOST_OPEN));

        Advance step = step(of(trigger.key()), only(), TICK, NEXT);
        Set<UUID> claimed = schedules().advance(List.of(step));

        assertEquals(Set.of(step.ticks().getFirst().arrival().id()), claimed, "there was room for one");
        Delivery refused = deliveries(trigger).stream()
                .filter(it -> it.arrival().delivery().equals(NEXT.toString()))
                .findFirst()
                .orElseThrow();
        assertEquals(
                Optional.of("QUOTA_EXCEEDED"), refused.result().orElseThrow().code());
        assertEquals(TriggerSchedules.MOST_OPEN, number("SELECT count(*) FROM flowstone.trigger_ticks"));
        assertEquals(Optional.of(NEXT), only().place().due(), "it has moved on");
    }

    /** Else its name would be free, and it be claimed again. */
    @Test
    void aDeliveryStaysAsLongAsItsTickIsOpen() throws Exception {
        Trigger trigger = made(ACME);
        schedules().advance(List.of(step(of(trigger.key()), only(), TICK)));
        admin("UPDATE flowstone.trigger_deliveries SET received_at = now() - interval '30 days'");
        UUID id = deliveries(trigger).getFirst().arrival().id();

        sweep();
        assertEquals(1, deliveries(trigger).size());
        schedules().close(List.of(new Settled(trigger.key(), id, Result.ignored("no"))));
        sweep();
        assertEquals(List.of(), deliveries(trigger));
    }

    private void sweep() throws Exception {
        Sweeper sweeper = opened().sweeper(Keeping.DEFAULTS);
        while (!sweeper.piece().over()) {
            // The next piece.
        }
    }
}
