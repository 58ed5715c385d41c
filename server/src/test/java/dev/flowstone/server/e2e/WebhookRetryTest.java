package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.e2e.House.Answer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders that send again: what came to nothing may come again as it is, and what started something is met. */
final class WebhookRetryTest {
    private static final String BODY = "{\"amount\": 120}";

    @TempDir
    static Path data = Path.of("");

    private static House house;

    @BeforeAll
    static void open() throws Exception {
        house = House.open(data, Map.of(), BuiltInActions.registry());
    }

    @AfterAll
    static void close() {
        house.close();
    }

    private static String workflow(String id) throws Exception {
        house.publish(Crm.STEPS.replace("\"steps\"", "\"" + id + "\""));
        return id;
    }

    private static void admin(String... statements) throws Exception {
        try (Connection superuser = Tamper.superuser(house);
                Statement statement = superuser.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void whatWasRefusedForNowIsTakenInTheSameSecond(@TempDir Path other) throws Exception {
        try (House narrow = House.open(other, Map.of("quota.startsPerSecond", "1"), BuiltInActions.registry())) {
            narrow.publish(Crm.STEPS);
            Sender sender = Sender.of(narrow, "steps");
            Instant now = Instant.now();
            int number = 0;
            while (sender.send(narrow, "d-" + number, now, BODY).status() != 429) {
                number++;
            }
            String refused = "d-" + number;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            Answer answer = sender.send(narrow, refused, now, BODY);
            while (answer.status() == 429) {
                assertTrue(System.nanoTime() < end, "never let in");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                answer = sender.send(narrow, refused, now, BODY);
            }
            answer.expect(202);
            long settled = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            Answer last = sender.send(narrow, refused, now, BODY);
            while (last.status() != 409) {
                assertEquals(
                        answer.text("executionId"), last.expect(200).text("executionId"), "while nobody knows yet");
                assertTrue(System.nanoTime() < settled, "never settled");
                last = sender.send(narrow, refused, now, BODY);
            }
            assertEquals("WEBHOOK_REPLAYED", last.text("code"));
            assertEquals(number + 1, Sender.executions(narrow, "steps"));
        }
    }

    /** A node has claimed it and went away: a proxy sends the same bytes to another one. */
    @Test
    void whatANodeLeftBehindIsTakenAgain() throws Exception {
        Sender sender = Sender.of(house, workflow("left"));
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        admin("""
                INSERT INTO flowstone.trigger_deliveries (tenant, trigger_id, id, delivery, source, sent_at, holds, received_at)
                VALUES ('default', '%s', gen_random_uuid(), 'd-1', 'webhook', '%s', true, now())
                """.formatted(sender.id(), now));
        sender.send(house, "d-1", now, BODY).expect(202);
        assertEquals(1, Sender.executions(house, "left"));
    }

    /** Its sender is told that it isn't known, and so does it say. */
    @Test
    void whatTheDatabaseFailsAtIsNotedAndTakenAgain() throws Exception {
        Sender sender = Sender.of(house, workflow("away"));
        sender.send(house, "d-0", BODY).expect(202);
        Instant now = Instant.now();
        String role = EmbeddedPostgres.running(EmbeddedConfig.in(house.data()))
                .orElseThrow()
                .roles()
                .api();
        Answer failed;
        admin(
                "ALTER ROLE " + role + " CONNECTION LIMIT 0",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + role + "'");
        try {
            failed = sender.send(house, "d-1", now, BODY);
        } finally {
            admin("ALTER ROLE " + role + " CONNECTION LIMIT -1");
        }
        assertEquals("UNAVAILABLE", failed.expect(503).text("code"));
        JsonObject noted = sender.settled(house, 2).getFirst();
        assertEquals("refused", Sender.text(noted, "status"));
        assertEquals("UNAVAILABLE", Sender.text(noted, "code"));
        sender.send(house, "d-1", now, BODY).expect(202);
        assertEquals(2, Sender.executions(house, "away"));
    }

    /** Who hears "nothing was started" finds no execution later. */
    @Test
    void whoeverSendsAgainMeetsWhatItStartedThoughTheTriggerChangedSince() throws Exception {
        Sender sender = Sender.of(house, workflow("changed"));
        Instant now = Instant.now();
        String run = sender.send(house, "d-1", now, BODY).expect(202).text("executionId");

        house.post(sender.path() + "/disable", "").expect(200);
        assertEquals(run, met(sender, now.minusSeconds(1)));
        assertEquals(
                "TRIGGER_DISABLED",
                sender.send(house, "d-2", now, BODY).expect(409).text("code"));
        assertEquals(
                "TRIGGER_DISABLED",
                sender.send(house, "d-2", now.minusSeconds(1), BODY).expect(409).text("code"));
        house.post(sender.path() + "/enable", "").expect(200);

        house.put(sender.path(), "{\"activationCondition\": \"trigger.amount > 1000\"}")
                .expect(200);
        assertEquals(run, met(sender, now.minusSeconds(2)));
        assertEquals("ignored", sender.send(house, "d-3", now, BODY).expect(200).text("status"));
        house.put(sender.path(), "{\"activationCondition\": \"trigger.none.x > 1000\"}")
                .expect(200);
        assertEquals(run, met(sender, now.minusSeconds(3)));
        sender.send(house, "d-4", now, BODY).expect(400);
        assertEquals(1, Sender.executions(house, "changed"));
        assertEquals(
                List.of("refused", "repeated", "ignored", "repeated", "refused", "refused", "repeated", "started"),
                sender.statuses(house, 8));
    }

    private static String met(Sender sender, Instant at) throws Exception {
        return sender.send(house, "d-1", at, BODY).expect(200).text("executionId");
    }

    /** Nobody answers a delivery before it comes. */
    @Test
    void whatADeliveryWillBeCalledNobodyElseTakes() throws Exception {
        Sender sender = Sender.of(house, workflow("taken"));
        String taken = "{\"requestId\": \"trigger:" + sender.id() + ":d-1\"}";
        assertEquals(
                "INVALID_REQUEST",
                house.post("/workflows/taken/execute", taken).expect(400).text("code"));
        house.post("/workflows/taken/execute", "{\"requestId\": \"trigger:mine\"}")
                .expect(202);
        sender.send(house, "d-1", BODY).expect(202);
    }

    @Test
    void whoeverFiresAgainMeetsWhatItStartedThoughTheTriggerIsOff() throws Exception {
        String path = Sender.of(house, workflow("fired-off")).path();
        String[] key = {"Idempotency-Key", "k1"};
        String run = house.post(path + "/fire", "{}", key).expect(202).text("executionId");
        house.post(path + "/disable", "").expect(200);
        assertEquals(run, house.post(path + "/fire", "{}", key).expect(200).text("executionId"));
        house.post(path + "/fire", "{}").expect(409);
    }
}
