package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.e2e.Arrivals.Arrival;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.effect.Receiver;
import dev.flowstone.server.effect.Receiver.Received;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;

/** Somebody's CRM with an endpoint that keeps what it takes, and the subscription by which it gets events. */
final class Crm implements AutoCloseable {
    static final WebhookSecret SECRET = WebhookSecret.generate();
    static final String STEPS = """
            {"id": "steps", "displayName": "Steps", "startNode": "a",
             "nodes": [{"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}]},
                       {"id": "b", "actionType": "core.echo", "edges": [{"targetNode": "c"}]},
                       {"id": "c", "actionType": "core.echo"}]}""";

    /** The subscription. */
    static final String NAME = "/subscriptions/crm";

    static final String WISH = "{\"sink\": {\"webhook\": \"crm\"}, \"from\": \"beginning\"}";

    /** Another endpoint, of which nothing is kept. */
    private static final String WITNESS = "/witness";

    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(3);

    final Arrivals arrivals = new Arrivals();
    final Receiver receiver;

    private int witnesses;

    /** It takes everything. */
    Crm() throws IOException {
        receiver = new Receiver();
        answering(_ -> 204);
    }

    /** Keeps what is answered with 2xx, before it is answered. */
    void answering(Function<Received, Integer> statuses) {
        receiver.answering(received -> {
            if (received.path().endsWith(WITNESS)) {
                return 204;
            }
            int status = statuses.apply(received);
            if (status / 100 == 2) {
                arrivals.take(Arrival.of(event(received)));
            }
            return status;
        });
    }

    /** A server that knows the endpoint, with more settings by name and value. */
    House open(Path data, String... more) throws Exception {
        Map<String, String> flags = new HashMap<>();
        flags.put("webhook.crm.url", receiver.url());
        flags.put("webhook.crm.secret", SECRET.text());
        flags.put("webhook.witness.url", receiver.url() + WITNESS);
        flags.put("webhook.witness.secret", SECRET.text());
        for (int i = 0; i < more.length; i += 2) {
            flags.put(more[i], more[i + 1]);
        }
        return House.open(data, flags, BuiltInActions.registry());
    }

    static JsonObject event(Received received) {
        return (JsonObject) House.value(new String(received.body(), StandardCharsets.UTF_8));
    }

    /** Runs to their end; how many events each has. */
    static Map<String, Long> runs(House house, int count) throws Exception {
        Map<String, Long> events = new HashMap<>();
        for (int i = 0; i < count; i++) {
            RunRow row = house.run("steps", "{\"trigger\": {\"n\": " + i + "}}");
            events.put(row.key().run().toString(), row.lastSequence());
        }
        return events;
    }

    static Answer until(House house, Predicate<Answer> good) throws Exception {
        return until(house, NAME, good);
    }

    /** Waits until a subscription is shown as it should be. */
    static Answer until(House house, String subscription, Predicate<Answer> good) throws Exception {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            Answer answer = house.get(subscription).expect(200);
            if (good.test(answer)) {
                return answer;
            }
            assertTrue(System.nanoTime() < end, answer::text);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /**
     * Waits until the server has looked twice at what there is to send, and has sent what was there before. A new subscription is seen by a
     * look that begins after it was made; the second one by a look that begins after that of the first has ended.
     */
    void awaitLooks(House house) throws Exception {
        for (int look = 0; look < 2; look++) {
            String witness = "/subscriptions/witness-" + ++witnesses;
            house.put(witness, "{\"sink\": {\"webhook\": \"witness\"}, \"from\": \"beginning\"}")
                    .expect(201);
            Answer _ = until(house, witness, Crm::isUpToDate);
        }
    }

    static boolean is(Answer answer, String state) {
        return answer.text("state").equals(state);
    }

    static boolean isUpToDate(Answer answer) {
        return answer.text().contains("\"behind\":{\"rows\":0,");
    }

    static long delivered(Answer answer) {
        return answer.object().get("delivered") instanceof JsonNumber number ? number.longValue() : -1;
    }

    static List<JsonValue> items(Answer answer, String member) {
        return answer.object().get(member) instanceof JsonArray(List<JsonValue> items) ? items : List.of();
    }

    @Override
    public void close() {
        receiver.close();
    }
}
