package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.trigger.EventTriggers;
import dev.flowstone.engine.trigger.EventTriggers.Listening;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.Triggers.Change;
import dev.flowstone.engine.trigger.Triggers.Wish;
import dev.flowstone.engine.workflow.OwnTrigger;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Event triggers as who follows events sees them: from where each listens, and how far all have come. */
final class EventTriggersTest extends PostgresTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId GLOBEX = new TenantId("globex");
    private static final WorkflowId ORDER = new WorkflowId("order");
    private static final Actor ANN = new Actor("user", "ann");
    private static final Wish WISH = wish("engine");
    private static final Wish OUTSIDE = wish("external");

    private static Wish wish(String source) {
        return new Wish(JsonObject.builder().put("source", source).build(), Optional.empty(), Optional.empty());
    }

    @BeforeEach
    void workflows() throws Exception {
        for (TenantId tenant : List.of(ACME, GLOBEX)) {
            byte[] bytes = ORDER.value().getBytes(StandardCharsets.UTF_8);
            Sha256 hash = Sha256.digest(bytes);
            Instant now = Instant.now();
            WorkflowRow _ = opened().ports()
                    .workflows()
                    .save(
                            new WorkflowRow(
                                    tenant,
                                    ORDER,
                                    "Order",
                                    Optional.empty(),
                                    WorkflowStatus.ACTIVE,
                                    true,
                                    1,
                                    1,
                                    Optional.empty(),
                                    now,
                                    now,
                                    0),
                            0,
                            Optional.of(new WorkflowVersion(tenant, ORDER, 1, bytes, hash, hash, bytes, now)))
                    .orElseThrow();
        }
    }

    private EventTriggers events() {
        return opened().triggers().events();
    }

    private Trigger made(TenantId tenant, TriggerKind kind, boolean enabled) throws Exception {
        return made(tenant, kind, enabled, WISH);
    }

    private Trigger made(TenantId tenant, TriggerKind kind, boolean enabled, Wish wish) throws Exception {
        Change change = opened().triggers()
                .create(new TriggerKey(tenant, TriggerId.random()), ORDER, kind, enabled, wish, Optional.empty(), ANN);
        return assertInstanceOf(Change.Made.class, change).trigger();
    }

    private void enable(Trigger trigger, boolean enabled) throws Exception {
        assertInstanceOf(
                Change.Made.class, opened().triggers().enable(trigger.key(), enabled, OptionalLong.empty(), ANN));
    }

    private List<Trigger> listening() throws Exception {
        return events().listening().stream().map(Listening::trigger).toList();
    }

    /** A row more in the feed of the lease's stream. */
    private void moves(Lease lease) throws Exception {
        journal().commit(Moves.commit(lease, Moves.full(Moves.run(lease, Moves.ACME, Instant.now()), 0)));
    }

    @Test
    void thoseListenThatAreOnWhosesoeverTheyAre() throws Exception {
        Trigger acmes = made(ACME, TriggerKind.EVENT, true);
        Trigger globexes = made(GLOBEX, TriggerKind.EVENT, true);
        made(ACME, TriggerKind.MANUAL, true);
        Trigger off = made(ACME, TriggerKind.EVENT, false);

        assertEquals(List.of(acmes, globexes), listening());
        Trigger sent = made(GLOBEX, TriggerKind.EVENT, true, OUTSIDE);
        made(ACME, TriggerKind.EVENT, true, OUTSIDE);
        assertEquals(List.of(acmes, globexes), listening(), "who hears nobody but senders costs nothing");
        assertEquals(
                List.of(sent),
                events().listening(GLOBEX).stream().map(Listening::trigger).toList());
        enable(off, true);
        enable(acmes, false);
        assertEquals(
                List.of(off.key(), globexes.key()),
                listening().stream().map(Trigger::key).toList());
        assertInstanceOf(Change.Removed.class, opened().triggers().remove(off.key(), OptionalLong.empty()));
        assertEquals(List.of(globexes), listening());
        assertEquals(4, number("SELECT count(*) FROM flowstone.trigger_events"), "it goes with its trigger");
    }

    @Test
    void whoTurnsToTheFeedListensFromThereOn() throws Exception {
        Lease lease = lease(0);
        int stream = lease.shard().stream();
        Trigger trigger = made(ACME, TriggerKind.EVENT, true, OUTSIDE);
        moves(lease);
        opened().triggers().update(trigger.key(), Optional.empty(), WISH, OptionalLong.empty(), ANN);
        assertEquals(1, events().listening().getFirst().since(stream));
        moves(lease);
        opened().triggers().update(trigger.key(), Optional.empty(), WISH, OptionalLong.empty(), ANN);
        assertEquals(1, events().listening().getFirst().since(stream), "it has listened to it before");
        opened().triggers().update(trigger.key(), Optional.empty(), OUTSIDE, OptionalLong.empty(), ANN);
        assertEquals(List.of(), listening());
        enable(trigger, false);
        opened().triggers().update(trigger.key(), Optional.empty(), WISH, OptionalLong.empty(), ANN);
        moves(lease);
        enable(trigger, true);
        assertEquals(3, events().listening().getFirst().since(stream));
    }

    @Test
    void whatAVersionDeclaresIsThereAndNothingElse() throws Exception {
        WorkflowStore store = opened().ports().workflows();
        OwnTrigger one = new OwnTrigger("one", OUTSIDE.config(), Optional.empty());
        OwnTrigger turned = new OwnTrigger("one", WISH.config(), Optional.empty());
        Lease lease = lease(0);
        declare(store, List.of(one));
        assertTrue(store.declares(ACME, ORDER, List.of(one)));
        assertFalse(store.declares(ACME, ORDER, List.of()));
        assertFalse(store.declares(ACME, ORDER, List.of(turned)));
        assertTrue(store.declares(GLOBEX, ORDER, List.of()));
        moves(lease);
        declare(store, List.of(turned));
        assertEquals(
                1,
                events().listening().getFirst().since(lease.shard().stream()),
                "what came before wasn't its concern");
        assertTrue(store.declares(ACME, ORDER, List.of(turned)));
    }

    private static void declare(WorkflowStore store, List<OwnTrigger> triggers) throws Exception {
        WorkflowRow row = store.find(ACME, ORDER).orElseThrow();
        assertTrue(store.save(row, row.revision(), Optional.empty(), Optional.of(triggers))
                .isPresent());
    }

    @Test
    void eachListensFromWhereTheFeedWasWhenItWasMadeOrTurnedOn() throws Exception {
        Lease lease = lease(0);
        int stream = lease.shard().stream();
        moves(lease);
        Trigger trigger = made(ACME, TriggerKind.EVENT, true);
        assertEquals(1, events().listening().getFirst().since(stream));

        moves(lease);
        enable(trigger, true);
        opened().triggers().update(trigger.key(), Optional.of(true), WISH, OptionalLong.empty(), ANN);
        assertEquals(1, events().listening().getFirst().since(stream), "it was on all the while");
        enable(trigger, false);
        moves(lease);
        enable(trigger, true);
        assertEquals(3, events().listening().getFirst().since(stream));
        opened().triggers().update(trigger.key(), Optional.of(false), WISH, OptionalLong.empty(), ANN);
        moves(lease);
        opened().triggers().update(trigger.key(), Optional.of(true), WISH, OptionalLong.empty(), ANN);
        assertEquals(4, events().listening().getFirst().since(stream));
        assertEquals(0, events().listening().getFirst().since(999), "a stream that came later");
    }

    @Test
    void theCursorIsItsOwnersAndNeverGoesBack() throws Exception {
        Lease lease = lease(0);
        int stream = lease.shard().stream();
        assertEquals(Map.of(), events().places(List.of(stream)));

        events().advance(lease, new FeedPlace(3, 2));
        events().advance(lease, new FeedPlace(3, 1));
        events().advance(lease, new FeedPlace(2, 9));
        assertEquals(Map.of(stream, new FeedPlace(3, 2)), events().places(List.of(stream, stream + 1)));
        events().advance(lease, new FeedPlace(4, 0));
        assertEquals(Map.of(stream, new FeedPlace(4, 0)), events().places(List.of(stream)));

        Lease stale = new Lease(lease.shard(), lease.holder(), lease.epoch() - 1, lease.until());
        assertThrows(JournalException.StaleEpoch.class, () -> events().advance(stale, new FeedPlace(9, 0)));
        assertEquals(Map.of(stream, new FeedPlace(4, 0)), events().places(List.of(stream)));
    }

    @Test
    void theRoleOfTheApiSeesItsTenantsAloneAndNoCursor() throws Exception {
        made(ACME, TriggerKind.EVENT, true);
        made(GLOBEX, TriggerKind.EVENT, true);
        try (Connection api = TestServer.api(config())) {
            run(api, "SELECT set_config('flowstone.tenant', 'globex', false)");
            assertEquals(1, number(api, "SELECT count(*) FROM flowstone.trigger_events"));
        }
    }
}
