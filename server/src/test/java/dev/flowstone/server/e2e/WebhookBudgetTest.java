package dev.flowstone.server.e2e;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.e2e.House.Answer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who proves nothing learns nothing by what is left of a budget, and takes nothing from whoever signs. */
final class WebhookBudgetTest {
    private static final int BURST = 4;
    private static final String BODY = "{\"amount\": 120}";

    @TempDir
    Path data = Path.of("");

    private House house;
    private Sender sender;

    @BeforeEach
    void open() throws Exception {
        Map<String, String> flags = Map.of(
                "rate.loose",
                "true",
                "rate.webhooksPerMinute",
                "1",
                "rate.webhooksBurst",
                Integer.toString(BURST),
                "rate.callsPerMinute",
                "0",
                "http.maxWaiting",
                "2");
        house = House.open(data, flags, BuiltInActions.registry());
        house.publish(Crm.STEPS);
        sender = Sender.of(house, "steps");
    }

    @AfterEach
    void close() {
        house.close();
    }

    private Sender forger() {
        return new Sender(sender.id(), WebhookSecret.generate());
    }

    @Test
    void whatIsUnprovenIsToldAlikeWhereverItIsSentBelowTheBudgetAndAboveIt() throws Exception {
        String manual = house.post("/triggers", "{\"workflowId\": \"steps\", \"triggerType\": \"Manual\"}")
                .expect(201)
                .text("id");
        Sender nobody = new Sender(UUID.randomUUID().toString(), sender.secret());
        List<Sender> all = List.of(forger(), nobody, new Sender(manual, sender.secret()), forger());
        Set<Map<String, List<String>>> below = new HashSet<>();
        for (int i = 0; i < BURST; i++) {
            Map<String, List<String>> told = told(all.get(i), "d-" + i);
            assertEquals(List.of(Integer.toString(BURST - 1 - i)), told.remove("x-ratelimit-remaining"));
            below.add(told);
        }
        assertEquals(1, below.size(), below::toString);
        assertEquals(List.of("401"), below.iterator().next().get(":status"));

        Set<Map<String, List<String>>> above = new HashSet<>();
        for (Sender one : all) {
            Map<String, List<String>> told = told(one, "e");
            assertTrue(
                    Integer.parseInt(requireNonNull(told.remove("retry-after")).getFirst()) > 0);
            above.add(told);
        }
        assertEquals(1, above.size(), above::toString);
        assertEquals(List.of("429"), above.iterator().next().get(":status"));
        sender.send(house, "d", BODY).expect(202);
    }

    private Map<String, List<String>> told(Sender one, String delivery) throws Exception {
        return house.headers(one.path(), BODY, one.signed(delivery, Instant.now(), BODY));
    }

    @Test
    void aBurstOfForgedOnesAtAKnownAddressTakesNothingFromItsSender() throws Exception {
        sender.send(house, "d-0", BODY).expect(202);
        Sender forger = forger();
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int number = i;
            calls.add(() -> forger.send(house, "f-" + number, BODY));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> forged = calls.stream().map(threads::submit).toList();
            for (int i = 1; i < BURST; i++) {
                sender.send(house, "d-" + i, BODY).expect(202);
            }
            for (Future<Answer> answer : forged) {
                int status = answer.get().status();
                assertTrue(status == 401 || status == 429, answer.get()::text);
            }
        }
        assertEquals(BURST, Sender.executions(house, "steps"));
    }

    /** Who has overheard one can send it as often as they like. */
    @Test
    void whatIsSentAgainTakesNothingFromItsSender() throws Exception {
        Instant now = Instant.now();
        sender.send(house, "d-0", now, BODY).expect(202);
        for (int i = 0; i < 3 * BURST; i++) {
            sender.send(house, "d-0", now, BODY).expect(i < BURST ? 409 : 429);
        }
        for (int i = 1; i < BURST; i++) {
            sender.send(house, "d-" + i, BODY).expect(202);
        }
        sender.send(house, "d-9", BODY).expect(429);
    }
}
