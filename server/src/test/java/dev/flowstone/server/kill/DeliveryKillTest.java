package dev.flowstone.server.kill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server is killed among deliveries: before it claims some, between claim and start, between start and result. Whoever sends what was
 * not answered again, as it is or signed anew, starts it once, and what was answered is what it meets.
 */
final class DeliveryKillTest {
    private static final int DELIVERIES = 400;
    private static final int ANSWERED = 60;
    private static final String BODY = "{\"n\": 1}";
    private static final Pattern EXECUTION = Pattern.compile("\"executionId\":\"([^\"]+)\"");
    private static final String DEFINITION = """
            {"id": "taken", "displayName": "Taken", "startNode": "a",
             "nodes": [{"id": "a", "actionType": "core.echo", "parameters": {"got": "{{ trigger }}"}}]}""";

    private final WebhookSecret secret = WebhookSecret.generate();
    private final Map<String, String> answered = new ConcurrentHashMap<>();
    private final Instant signed = Instant.now();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder = Path.of("");

    @Test
    @Timeout(300)
    void eachStartsOnceWhateverItsServerWasDoing() throws Exception {
        Files.writeString(ServerProcess.ledger(folder), "http://127.0.0.1:1/");
        ServerProcess server = ServerProcess.launch(folder, WebhookServer.class);
        server.awaitReady();
        made(post(server.url() + "/workflows", DEFINITION));
        made(post(server.url() + "/workflows/taken/publish", ""));
        String trigger = made(post(
                server.url() + "/triggers",
                "{\"workflowId\": \"taken\", \"triggerType\": \"Webhook\", \"config\": {\"secrets\": [\""
                        + secret.text() + "\"]}}"));
        String id = trigger.replaceFirst(".*?\"id\":\"([^\"]+)\".*", "$1");
        sendUntilKilled(server, id);
        assertTrue(answered.size() < DELIVERIES, "it was killed too late");

        ServerProcess again = ServerProcess.launch(folder, WebhookServer.class);
        again.awaitReady();
        Map<String, String> found = new TreeMap<>();
        for (int i = 0; i < DELIVERIES; i++) {
            String delivery = "d-" + i;
            if (!answered.containsKey(delivery)) {
                // As a proxy does, which can't sign: what nobody knows the end of gives way.
                int status = until(again, id, delivery, signed).statusCode();
                assertTrue(Set.of(200, 202, 409).contains(status), "status " + status);
            }
            HttpResponse<String> anew = until(again, id, delivery, Instant.now().plusSeconds(2));
            assertEquals(200, anew.statusCode(), anew::body);
            found.put(delivery, execution(anew.body()));
        }
        answered.forEach((delivery, run) -> assertEquals(run, found.get(delivery), delivery));
        assertEquals(DELIVERIES, Set.copyOf(found.values()).size());
        assertEquals(Set.copyOf(found.values()), executions(again));
        int _ = again.stop();
    }

    private void sendUntilKilled(ServerProcess server, String id) throws Exception {
        String url = server.url();
        AtomicInteger next = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> senders = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                senders.add(threads.submit(() -> {
                    for (int n = next.getAndIncrement(); n < DELIVERIES; n = next.getAndIncrement()) {
                        String delivery = "d-" + n;
                        HttpResponse<String> answer = send(url, id, delivery, signed);
                        if (answer.statusCode() == 202) {
                            answered.put(delivery, execution(answer.body()));
                        }
                    }
                    return true;
                }));
            }
            while (answered.size() < ANSWERED) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            server.kill();
            // Those that heard nothing have failed, which is what they are for.
            senders.forEach(sender -> sender.cancel(true));
        }
    }

    /** Until it isn't told to come again. */
    private HttpResponse<String> until(ServerProcess server, String id, String delivery, Instant at) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        HttpResponse<String> answer = send(server.url(), id, delivery, at);
        while (answer.statusCode() == 503 || answer.statusCode() == 429) {
            assertTrue(System.nanoTime() < end, answer::body);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            answer = send(server.url(), id, delivery, at);
        }
        return answer;
    }

    private HttpResponse<String> send(String url, String id, String delivery, Instant at) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/triggers/" + id))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(BODY));
        for (HttpHeader header : WebhookSignature.sign(delivery, at, BODY.getBytes(UTF_8), List.of(secret))) {
            request.header(header.name(), header.value());
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private Set<String> executions(ServerProcess server) throws Exception {
        Set<String> all = new HashSet<>();
        String cursor = "";
        while (true) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create(server.url() + "/executions?workflowId=taken&limit=100" + cursor))
                    .build();
            String page = client.send(request, BodyHandlers.ofString()).body();
            Matcher run = EXECUTION.matcher(page);
            while (run.find()) {
                assertTrue(all.add(run.group(1)), page);
            }
            Matcher next = Pattern.compile("\"next\":\"([^\"]+)\"").matcher(page);
            if (!next.find()) {
                return all;
            }
            cursor = "&cursor=" + next.group(1);
        }
    }

    private static String execution(String body) {
        Matcher found = EXECUTION.matcher(body);
        assertTrue(found.find(), body);
        return found.group(1);
    }

    private HttpResponse<String> post(String url, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String made(HttpResponse<String> answer) {
        assertTrue(answer.statusCode() < 300, answer::body);
        return answer.body();
    }
}
