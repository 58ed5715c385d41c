package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerDeliveries.Claim;
import dev.flowstone.engine.trigger.TriggerDeliveries.Delivery;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSecret;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.trigger.Triggers.Change;
import dev.flowstone.engine.trigger.Triggers.Filter;
import dev.flowstone.engine.trigger.Triggers.Signer;
import dev.flowstone.engine.trigger.Triggers.Wish;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Triggers and what came for them: rows of one tenant, secrets that nobody is shown. */
final class TriggersTest extends PostgresTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId GLOBEX = new TenantId("globex");
    private static final WorkflowId ORDER = new WorkflowId("order");
    private static final Actor ANN = new Actor("user", "ann");
    private static final Filter ALL = new Filter(Optional.empty(), Optional.empty(), Optional.empty());
    private static final Signer KEPT = new Signer.Kept();

    @BeforeEach
    void workflows() throws Exception {
        for (TenantId tenant : List.of(ACME, GLOBEX)) {
            active(tenant, ORDER);
        }
    }

    private static WorkflowRow row(TenantId tenant, WorkflowId id, WorkflowStatus status, int version) {
        Instant now = Instant.now();
        Optional<byte[]> draft = status == WorkflowStatus.DRAFT ? Optional.of(new byte[] {'{', '}'}) : Optional.empty();
        return new WorkflowRow(
                tenant,
                id,
                "Order",
                Optional.empty(),
                status,
                status == WorkflowStatus.ACTIVE,
                version,
                version,
                draft,
                now,
                now,
                0);
    }

    private WorkflowRow save(WorkflowRow row, Optional<WorkflowVersion> version) throws Exception {
        return opened().ports().workflows().save(row, row.revision(), version).orElseThrow();
    }

    private WorkflowRow active(TenantId tenant, WorkflowId id) throws Exception {
        byte[] bytes = id.value().getBytes(StandardCharsets.UTF_8);
        Sha256 hash = Sha256.digest(bytes);
        return save(
                row(tenant, id, WorkflowStatus.ACTIVE, 1),
                Optional.of(new WorkflowVersion(tenant, id, 1, bytes, hash, hash, bytes, Instant.now())));
    }

    private Triggers triggers() {
        return opened().triggers();
    }

    private static Signer fresh(String secret) {
        return new Signer.Fresh(new TriggerSecret(secret));
    }

    private static Wish wish(Signer... secrets) {
        return new Wish(
                JsonObject.builder().put("toleranceSeconds", 300).build(),
                Optional.of(List.of(secrets)),
                Optional.empty());
    }

    private Trigger made(TenantId tenant, TriggerKind kind, Wish wish) throws Exception {
        Change change = triggers()
                .create(new TriggerKey(tenant, TriggerId.random()), ORDER, kind, true, wish, Optional.empty(), ANN);
        return assertInstanceOf(Change.Made.class, change).trigger();
    }

    private List<String> secrets(Trigger trigger) throws Exception {
        return triggers().armed(List.of(trigger.key().id())).getFirst().secrets().stream()
                .map(TriggerSecret::text)
                .toList();
    }

    @Test
    void oneIsMadeShownChangedAndRemoved() throws Exception {
        Trigger made = made(ACME, TriggerKind.WEBHOOK, wish(fresh("one")));
        assertEquals(Optional.of(made), triggers().find(made.key()));
        assertTrue(made.enabled() && made.fires() && made.revision() == 1 && made.secrets() == 1, made::toString);

        assertEquals(
                new Change.OtherRevision(1),
                triggers().update(made.key(), Optional.empty(), wish(KEPT), OptionalLong.of(2), ANN));
        Wish other = new Wish(JsonObject.EMPTY, Optional.empty(), Optional.of("trigger.a"));
        Trigger changed = assertInstanceOf(
                        Change.Made.class,
                        triggers().update(made.key(), Optional.of(false), other, OptionalLong.of(1), ANN))
                .trigger();
        assertFalse(changed.enabled());
        assertEquals(Optional.of("trigger.a"), changed.condition());
        assertEquals(List.of("one"), secrets(changed), "secrets that aren't named stay");
        Change again = triggers().enable(made.key(), false, OptionalLong.empty(), ANN);
        assertEquals(2, assertInstanceOf(Change.Made.class, again).trigger().revision(), "it is so already");
        assertEquals(new Change.Removed(), triggers().remove(made.key(), OptionalLong.of(2)));
        assertEquals(new Change.Unknown(), triggers().remove(made.key(), OptionalLong.empty()));
        assertEquals(List.of(), triggers().armed(List.of(made.key().id())));
        assertEquals(0, number("SELECT count(*) FROM flowstone.trigger_secrets"));
    }

    /** As those do who close a schedule's ticks while it is removed. */
    @Test
    @Timeout(120)
    void whoMeetsADeadlockComesAgain() throws Exception {
        Trigger trigger = made(ACME, TriggerKind.WEBHOOK, wish(fresh("one")));
        try (Connection other = TestServer.admin(config());
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            other.setAutoCommit(false);
            run(other, "SET LOCAL deadlock_timeout = '1min'", "SELECT FROM flowstone.trigger_secrets FOR UPDATE");

            Future<Change> removed = thread.submit(() -> triggers().remove(trigger.key(), OptionalLong.empty()));
            while (number("SELECT count(*) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
                    == 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            run(other, "UPDATE flowstone.triggers SET revision = revision");
            other.commit();

            assertEquals(new Change.Removed(), removed.get());
        }
    }

    @Test
    void secretsThatAreKeptAreTheFirstOnesInTheirOrder() throws Exception {
        Trigger trigger = made(ACME, TriggerKind.WEBHOOK, wish(fresh("one")));
        assertEquals(new Change.NoSuchSecret(1), update(trigger, wish(KEPT, KEPT)));
        update(trigger, wish(fresh("two"), KEPT));
        assertEquals(List.of("two", "one"), secrets(trigger));
        update(trigger, wish(KEPT, KEPT));
        assertEquals(List.of("two", "one"), secrets(trigger));
        update(trigger, wish(fresh("three"), KEPT));
        assertEquals(List.of("three", "two"), secrets(trigger));
        update(trigger, wish(KEPT, fresh("four")));
        assertEquals(List.of("three", "four"), secrets(trigger));
        update(trigger, wish(KEPT));
        assertEquals(List.of("three"), secrets(trigger));
        update(trigger, wish(fresh("five")));
        assertEquals(List.of("five"), secrets(trigger));
    }

    private Change update(Trigger trigger, Wish wish) throws Exception {
        return triggers().update(trigger.key(), Optional.empty(), wish, OptionalLong.empty(), ANN);
    }

    /** Whatever the API's code asks for, it isn't given. */
    @Test
    void theRoleOfTheApiCantReadASecret() throws Exception {
        made(ACME, TriggerKind.WEBHOOK, wish(fresh("one")));
        try (Connection api = TestServer.api(config())) {
            run(api, "SELECT set_config('flowstone.tenant', 'acme', false)");
            assertEquals(1, number(api, "SELECT count(*) FROM flowstone.trigger_secrets"));
            for (String way : List.of(
                    "SELECT secret FROM flowstone.trigger_secrets",
                    "SELECT * FROM flowstone.trigger_secrets",
                    "UPDATE flowstone.trigger_secrets SET place = length(secret)",
                    "DELETE FROM flowstone.trigger_secrets RETURNING secret")) {
                SQLException refused = assertThrows(SQLException.class, () -> run(api, way));
                assertEquals("42501", refused.getSQLState(), way);
            }
        }
    }

    @Test
    void aTriggerIsItsTenantsAlone() throws Exception {
        Trigger acmes = made(ACME, TriggerKind.WEBHOOK, wish(fresh("one")));
        made(GLOBEX, TriggerKind.MANUAL, wish());
        TriggerKey stolen = new TriggerKey(GLOBEX, acmes.key().id());
        assertEquals(Optional.empty(), triggers().find(stolen));
        assertEquals(new Change.Unknown(), triggers().enable(stolen, false, OptionalLong.empty(), ANN));
        assertEquals(new Change.Unknown(), triggers().remove(stolen, OptionalLong.empty()));
        assertEquals(List.of(acmes), triggers().list(ACME, ALL, Optional.empty(), 10));
        assertEquals(
                ACME,
                triggers()
                        .armed(List.of(TriggerId.random(), acmes.key().id()))
                        .getFirst()
                        .trigger()
                        .key()
                        .tenant());
        try (Connection api = TestServer.api(config())) {
            run(api, "SELECT set_config('flowstone.tenant', 'globex', false)");
            assertEquals(0, number(api, "SELECT count(*) FROM flowstone.triggers WHERE tenant = 'acme'"));
            assertEquals(0, number(api, "SELECT count(*) FROM flowstone.trigger_secrets"));
        }
    }

    @Test
    void listsAreFilteredByWhatFiresNow() throws Exception {
        WorkflowRow once = active(ACME, new WorkflowId("old"));
        Trigger webhook = made(ACME, TriggerKind.WEBHOOK, wish(fresh("one")));
        Trigger manual = made(ACME, TriggerKind.MANUAL, wish());
        triggers().enable(manual.key(), false, OptionalLong.empty(), ANN);
        Change old = triggers()
                .create(
                        new TriggerKey(ACME, TriggerId.random()),
                        new WorkflowId("old"),
                        TriggerKind.MANUAL,
                        true,
                        wish(),
                        Optional.empty(),
                        ANN);
        save(row(ACME, once.id(), WorkflowStatus.ARCHIVED, 1).withRevision(once.revision()), Optional.empty());
        Trigger archived = triggers()
                .find(assertInstanceOf(Change.Made.class, old).trigger().key())
                .orElseThrow();
        assertTrue(archived.enabled() && !archived.fires(), archived::toString);

        assertEquals(Set.of(webhook.key()), keys(new Filter(Optional.empty(), Optional.empty(), Optional.of(true))));
        assertEquals(
                Set.of(manual.key(), archived.key()),
                keys(new Filter(Optional.empty(), Optional.empty(), Optional.of(false))));
        assertEquals(
                Set.of(manual.key()),
                keys(new Filter(Optional.of(ORDER), Optional.of(TriggerKind.MANUAL), Optional.empty())));
        List<Trigger> all = triggers().list(ACME, ALL, Optional.empty(), 10);
        assertEquals(
                all.subList(1, 3),
                triggers().list(ACME, ALL, Optional.of(all.getFirst().key().id()), 2));
    }

    private Set<TriggerKey> keys(Filter filter) throws Exception {
        return triggers().list(ACME, filter, Optional.empty(), 10).stream()
                .map(Trigger::key)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Test
    void theSameRequestMakesOne() throws Exception {
        Change first = create(ACME, (byte) 1, (byte) 1);
        Change second = create(ACME, (byte) 1, (byte) 1);
        assertTrue(assertInstanceOf(Change.Made.class, first).created());
        assertFalse(assertInstanceOf(Change.Made.class, second).created());
        Trigger made = assertInstanceOf(Change.Made.class, first).trigger();
        assertEquals(made, assertInstanceOf(Change.Made.class, second).trigger());
        assertEquals(new Change.OtherRequest(), create(ACME, (byte) 1, (byte) 2));
        assertTrue(assertInstanceOf(Change.Made.class, create(ACME, (byte) 2, (byte) 1))
                .created());
        assertTrue(assertInstanceOf(Change.Made.class, create(GLOBEX, (byte) 1, (byte) 1))
                .created());

        triggers().remove(made.key(), OptionalLong.empty());
        assertEquals(new Change.Gone(), create(ACME, (byte) 1, (byte) 1), "a repetition brings none back");
        assertEquals(3, number("SELECT count(*) FROM flowstone.trigger_requests"));
        assertEquals(
                new Change.NoWorkflow(),
                triggers()
                        .create(
                                new TriggerKey(ACME, TriggerId.random()),
                                new WorkflowId("none"),
                                TriggerKind.MANUAL,
                                true,
                                wish(),
                                Optional.empty(),
                                ANN));
    }

    private Change create(TenantId tenant, byte key, byte content) throws Exception {
        return triggers()
                .create(
                        new TriggerKey(tenant, TriggerId.random()),
                        ORDER,
                        TriggerKind.MANUAL,
                        true,
                        wish(),
                        Optional.of(new Triggers.Request(
                                Sha256.digest(new byte[] {key}), Sha256.digest(new byte[] {content}))),
                        ANN);
    }

    @Test
    void theyGoWithTheirWorkflow() throws Exception {
        save(row(ACME, new WorkflowId("draft"), WorkflowStatus.DRAFT, 0), Optional.empty());
        triggers()
                .create(
                        new TriggerKey(ACME, TriggerId.random()),
                        new WorkflowId("draft"),
                        TriggerKind.WEBHOOK,
                        true,
                        wish(fresh("one")),
                        Optional.empty(),
                        ANN);
        assertTrue(opened().ports().workflows().deleteDraft(ACME, new WorkflowId("draft"), 1));
        assertEquals(0, number("SELECT count(*) FROM flowstone.triggers"));
        assertEquals(0, number("SELECT count(*) FROM flowstone.trigger_secrets"));
    }

    @Test
    void whatWasSignedForATimeIsClaimedOnce() throws Exception {
        TriggerKey key = made(ACME, TriggerKind.WEBHOOK, wish(fresh("one"))).key();
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Instant sent = now.truncatedTo(ChronoUnit.SECONDS);
        Arrival first = Arrival.signed(key, "d-1", sent, now);
        Arrival same = Arrival.signed(key, "d-1", sent, now);
        Arrival anew = Arrival.signed(key, "d-1", sent.plusSeconds(1), now);
        Arrival hand = Arrival.byHand(key, "d-1", ANN, now);
        Arrival handAgain = Arrival.byHand(key, "d-1", ANN, now);

        assertEquals(
                Set.of(first.id(), anew.id(), hand.id(), handAgain.id()),
                claim(first, same, anew, hand, handAgain).keySet(),
                "in one batch, too");
        assertEquals(Set.of(first.id()), claim(first).keySet(), "nobody knew whether it was written");
        settle(first, Result.ignored("not now"), false);
        assertEquals(Map.of(), claim(same));
        assertEquals(4, number("SELECT count(*) FROM flowstone.trigger_deliveries"));
    }

    private Map<UUID, Claim> claim(Arrival... arrivals) throws Exception {
        return triggers().deliveries().claim(List.of(arrivals));
    }

    private void settle(Arrival arrival, Result result, boolean again) throws Exception {
        triggers().deliveries().settle(List.of(new Settled(arrival.trigger(), arrival.id(), result, again)));
    }

    /** Nothing came of the first ones: one was refused for now, one's node is gone. */
    @Test
    void whatCameToNothingIsTakenOnceMoreInTheSameSecond() throws Exception {
        TriggerKey key = made(ACME, TriggerKind.WEBHOOK, wish(fresh("one"))).key();
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Arrival busy = Arrival.signed(key, "d-1", now, now);
        Arrival gone = Arrival.signed(key, "d-1", now, now);
        Arrival taken = Arrival.signed(key, "d-1", now, now);
        Arrival late = Arrival.signed(key, "d-1", now, now);
        Arrival anew = Arrival.signed(key, "d-1", now.plusSeconds(1), now);

        assertEquals(Map.of(busy.id(), Claim.FIRST), claim(busy));
        settle(busy, Result.refused("BUSY", "not now"), true);
        assertEquals(Map.of(gone.id(), Claim.AGAIN), claim(gone));
        assertEquals(Map.of(taken.id(), Claim.AGAIN), claim(taken));
        settle(taken, Result.started(RunId.parse("00000000-0000-7000-8000-000000000001")), false);
        settle(gone, Result.ignored("later than the other"), false);
        assertEquals(Map.of(), claim(late));
        assertEquals(Map.of(anew.id(), Claim.AGAIN), claim(anew));
        assertEquals(4, number("SELECT count(*) FROM flowstone.trigger_deliveries"));
    }

    @Test
    void whatBecameOfThemIsShownTheNewestFirst() throws Exception {
        TriggerKey key = made(ACME, TriggerKind.WEBHOOK, wish(fresh("one"))).key();
        Instant begin = Instant.parse("2026-11-30T12:00:00Z");
        List<Arrival> arrivals = List.of(
                Arrival.signed(key, "d-0", begin, begin),
                Arrival.signed(key, "d-1", begin, begin.plusSeconds(1)),
                Arrival.byHand(key, "d-2", ANN, begin.plusSeconds(2)));
        assertEquals(3, triggers().deliveries().claim(arrivals).size());
        Result ignored = Result.ignored("not now");
        Result refused = Result.refused("QUOTA_EXCEEDED", "too \0 much \ud800");
        triggers()
                .deliveries()
                .settle(List.of(
                        new Settled(key, arrivals.get(2).id(), ignored),
                        new Settled(key, arrivals.get(1).id(), refused)));

        List<Delivery> all = triggers().deliveries().list(key, Optional.empty(), 10);
        assertEquals(
                List.of("d-2", "d-1", "d-0"),
                all.stream().map(it -> it.arrival().delivery()).toList());
        assertEquals(new Delivery(arrivals.get(2), Optional.of(ignored)), all.getFirst());
        assertEquals(Optional.empty(), all.getLast().result());
        assertEquals(Optional.of("QUOTA_EXCEEDED"), all.get(1).result().flatMap(Result::code));
        assertEquals(
                all.subList(1, 2),
                triggers()
                        .deliveries()
                        .list(key, Optional.of(all.getFirst().arrival().id()), 1));
        assertEquals(List.of(), triggers().deliveries().list(new TriggerKey(GLOBEX, key.id()), Optional.empty(), 10));
    }
}
