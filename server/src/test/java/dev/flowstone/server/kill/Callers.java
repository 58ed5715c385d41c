package dev.flowstone.server.kill;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Callers who start executions and, like callers do, try again under the same request id when they get no answer. They
 * remember what was acknowledged.
 */
final class Callers {
    private static final int THREADS = 16;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();
    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
    private final Queue<String> odd = new ConcurrentLinkedQueue<>();

    void want(Collection<String> requestIds) {
        unanswered.addAll(requestIds);
    }

    /** Execution by request id. */
    Map<String, String> acknowledged() {
        return new TreeMap<>(acknowledged);
    }

    /** Answers that nobody should get. */
    Collection<String> odd() {
        return odd;
    }

    int missing() {
        return unanswered.size();
    }

    /** Asks for everything that has no answer yet, once each, from several threads; goes on in the background. */
    ExecutorService ask(String url, String workflow) {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        int calls = unanswered.size();
        for (int i = 0; i < calls; i++) {
            threads.execute(() -> askOne(url, workflow));
        }
        threads.shutdown();
        return threads;
    }

    private void askOne(String url, String workflow) {
        String id = unanswered.poll();
        if (id == null) {
            return;
        }
        try {
            HttpResponse<String> answer = post(
                    url + "/workflows/" + workflow + "/execute",
                    "{\"requestId\": \"" + id + "\", \"trigger\": {\"n\": 7615917337495251231}}");
            switch (answer.statusCode()) {
                case 200, 202 -> remember(id, text(object(answer.body()), "executionId"));
                case 503 -> unanswered.add(id);
                default -> {
                    odd.add(answer.statusCode() + " " + answer.body());
                    unanswered.add(id);
                }
            }
        } catch (IOException e) {
            unanswered.add(id);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            unanswered.add(id);
        }
    }

    private void remember(String id, String execution) {
        String before = acknowledged.put(id, execution);
        if (before != null && !before.equals(execution)) {
            odd.add(id + " was " + before + " and is " + execution);
        }
    }

    HttpResponse<String> post(String url, String body) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofSeconds(20))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    String status(String url, String execution) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/executions/" + execution))
                .timeout(Duration.ofSeconds(20))
                .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        return answer.statusCode() == 200 ? text(object(answer.body()), "status") : "HTTP " + answer.statusCode();
    }

    /** How many items a list has on its first page. */
    int count(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(20))
                .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        return object(answer.body()).get("items") instanceof JsonArray items
                ? items.items().size()
                : -1;
    }

    private static JsonObject object(String body) throws IOException {
        try {
            if (JsonParser.parse(body.getBytes(java.nio.charset.StandardCharsets.UTF_8)) instanceof JsonObject object) {
                return object;
            }
            throw new IOException("no object: " + body);
        } catch (JsonSyntaxException e) {
            throw new IOException("cut off: " + body, e);
        }
    }

    private static String text(JsonObject object, String member) throws IOException {
        return switch (object.get(member)) {
            case JsonString string -> string.value();
            case JsonArray _ -> throw new IOException("no " + member);
            case null, default -> throw new IOException("no " + member + " in " + object);
        };
    }
}
