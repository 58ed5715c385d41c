package dev.flowstone.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.server.e2e.House.Answer;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Somebody who sends webhooks for one trigger, of any tenant.
 *
 * @param id the trigger's
 */
record Sender(String id, WebhookSecret secret) {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    /** Makes a trigger, with more members behind a comma. */
    static Sender of(House house, String workflow, String more) throws Exception {
        WebhookSecret secret = WebhookSecret.generate();
        String body =
                "{\"workflowId\": \"" + workflow + "\", \"triggerType\": \"Webhook\", \"config\": {\"secrets\": [\""
                        + secret.text() + "\"]}" + more + "}";
        return new Sender(house.post("/triggers", body).expect(201).text("id"), secret);
    }

    static Sender of(House house, String workflow) throws Exception {
        return of(house, workflow, "");
    }

    String path() {
        return "/triggers/" + id;
    }

    /** The headers of a delivery, by name and value. */
    String[] signed(String delivery, Instant at, String body) {
        return WebhookSignature.sign(delivery, at, body.getBytes(UTF_8), List.of(secret)).stream()
                .flatMap(header -> List.of(header.name(), header.value()).stream())
                .toArray(String[]::new);
    }

    /** The same, but for one header. */
    String[] without(String name, String delivery, String body) {
        return WebhookSignature.sign(delivery, Instant.now(), body.getBytes(UTF_8), List.of(secret)).stream()
                .filter(header -> !header.name().equals(name))
                .flatMap((HttpHeader header) -> List.of(header.name(), header.value()).stream())
                .toArray(String[]::new);
    }

    Answer send(House house, String delivery, Instant at, String body) throws Exception {
        return house.post(path(), body, signed(delivery, at, body));
    }

    Answer send(House house, String delivery, String body) throws Exception {
        return send(house, delivery, Instant.now(), body);
    }

    /** The deliveries that there are, the newest first. */
    List<JsonObject> there(House house) throws Exception {
        JsonObject page = house.get(path() + "/deliveries").expect(200).object();
        return ((JsonArray) page.find("items").orElseThrow())
                .items().stream().map(JsonObject.class::cast).toList();
    }

    /** Waits until this many deliveries are settled; the newest first. */
    List<JsonObject> settled(House house, int count) throws Exception {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            List<JsonObject> all = there(house);
            if (all.size() == count
                    && all.stream().noneMatch(it -> text(it, "status").equals("received"))) {
                return all;
            }
            assertTrue(System.nanoTime() < end, () -> "never " + count + ": " + all);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** The status of each delivery, the newest first. */
    List<String> statuses(House house, int count) throws Exception {
        return settled(house, count).stream().map(it -> text(it, "status")).toList();
    }

    static String text(JsonObject json, String member) {
        JsonValue value = json.find(member).orElseThrow();
        return value instanceof JsonString(String text) ? text : CanonicalJson.exactText(value);
    }

    /** Executions of a workflow. */
    static int executions(House house, String workflow) throws Exception {
        JsonObject page =
                house.get("/executions?workflowId=" + workflow).expect(200).object();
        assertEquals("null", text(page, "next"));
        return ((JsonArray) page.find("items").orElseThrow()).items().size();
    }
}
