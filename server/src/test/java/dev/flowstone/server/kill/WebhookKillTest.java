package dev.flowstone.server.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.effect.Receiver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server is killed while its messages can't be delivered: what was committed leaves afterwards, under the same keys, and nothing else. */
final class WebhookKillTest {
    private static final int RUNS = 20;
    private static final String TELLING = """
            {"id": "tell", "displayName": "Tell", "startNode": "tell", "nodes": [
              {"id": "tell", "actionType": "core.webhook",
               "parameters": {"endpoint": "shop", "type": "com.example.paid", "data": "{{ trigger.n }}"},
               "policies": {"retry": {"maxAttempts": 6, "baseDelayMs": 10}}}]}""";

    @TempDir
    Path folder = Path.of("");

    @Test
    @Timeout(300)
    void whatWasCommittedIsDeliveredAfterAKill() throws Exception {
        try (Receiver receiver = new Receiver().answering(_ -> 503);
                HttpClient client = HttpClient.newHttpClient()) {
            Files.writeString(ServerProcess.ledger(folder), receiver.url());
            ServerProcess server = ServerProcess.launch(folder, WebhookServer.class);
            server.awaitReady();
            post(client, server.url() + "/workflows", TELLING);
            post(client, server.url() + "/workflows/tell/publish", "");
            for (int i = 0; i < RUNS; i++) {
                post(client, server.url() + "/workflows/tell/execute", "{\"trigger\": {\"n\": " + i + "}}");
            }
            String first = receiver.next().header("webhook-id");
            server.kill();
            while (receiver.waiting() > 0) {
                receiver.next();
            }
            receiver.answering(_ -> 204);

            ServerProcess again = ServerProcess.launch(folder, WebhookServer.class);
            again.awaitReady();

            Set<String> keys = new HashSet<>();
            Set<String> runs = new HashSet<>();
            while (keys.size() < RUNS) {
                String key = receiver.next().header("webhook-id");
                keys.add(key);
                runs.add(key.substring(0, 36));
            }
            awaitEmptyOutbox(client, again.url());
            while (receiver.waiting() > 0) {
                keys.add(receiver.next().header("webhook-id"));
            }
            assertTrue(keys.contains(first));
            assertEquals(RUNS, runs.size(), "a message of each run");
            int scheduled = 0;
            for (String run : runs) {
                String events = get(client, again.url() + "/executions/" + run + "?include=events");
                scheduled += events.split("\"kind\":\"TaskScheduled\"", -1).length - 1;
            }
            assertEquals(scheduled, keys.size(), "one key of each attempt, and no other");
            int _ = again.stop();
        }
    }

    private static void awaitEmptyOutbox(HttpClient client, String url) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!get(client, url + "/outbox").contains("\"items\":[]")) {
            assertTrue(System.nanoTime() < end, "messages wait on");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static String get(HttpClient client, String url) throws Exception {
        HttpResponse<String> answer =
                client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer::body);
        return answer.body();
    }

    private static void post(HttpClient client, String url, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.setHeader("Content-Type", "application/json");
        }
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        assertTrue(answer.statusCode() < 300, answer::body);
    }
}
