package dev.flowstone.sdk.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Answers as the test says, and keeps what it was told. */
final class PaperServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** Tasks to hand out, one claim each. */
    final BlockingQueue<String> tasks = new LinkedBlockingQueue<>();

    /** What it says to calls of {@code complete}, in order; afterwards it accepts everything. */
    final ConcurrentLinkedQueue<Answer> completions = new ConcurrentLinkedQueue<>();

    /** What it says of each answer after those. */
    volatile Function<JsonNode, String> heard = task -> "{\"state\": \"accepted\"}";

    /** What it says to each heartbeat. */
    volatile Function<JsonNode, String> beat = task -> "{\"state\": \"held\", \"lease\": \"l\"}";

    /** What it says to a whole call, if anything but what it says of each item. */
    volatile Function<Called, Optional<Answer>> whole = call -> Optional.empty();

    private final ConcurrentLinkedQueue<Called> calls = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    /** A call that came in. */
    record Called(String path, JsonNode body) {
        boolean is(String what) {
            return path.equals("/api/v1/tasks/" + what);
        }

        JsonNode tasks() {
            return body.path("tasks");
        }
    }

    /** An answer; status 0 hangs up. */
    record Answer(int status, String body) {}

    PaperServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", this::serve);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    static String task(String action, int number, String input) {
        return """
                {"executionId": "e%d", "workflowId": "w", "activation": "a#1", "attempt": 1, "action": "%s",
                 "input": %s, "key": "k%d", "correlation": "c", "timeoutMillis": 60000, "lease": "l"}""".formatted(number, action, input, number);
    }

    /** All items of calls of that kind so far. */
    List<JsonNode> said(String path) {
        List<JsonNode> items = new ArrayList<>();
        for (Called called : calls) {
            if (called.is(path)) {
                called.tasks().forEach(items::add);
            }
        }
        return items;
    }

    long called(String path) {
        return calls.stream().filter(called -> called.is(path)).count();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
            Called called = new Called(path, body);
            calls.add(called);
            Optional<Answer> said = whole.apply(called);
            Answer answer = said.isPresent() ? said.get() : answer(path, body);
            if (answer.status == 0) {
                return;
            }
            byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Answer answer(String path, JsonNode body) throws InterruptedException {
        return switch (path.substring(path.lastIndexOf('/') + 1)) {
            case "claim" -> new Answer(200, "{\"tasks\": [" + tasks.take() + "]}");
            case "complete" -> {
                Answer next = completions.poll();
                yield next != null ? next : each(body, heard);
            }
            case "heartbeat" -> each(body, beat);
            case "leave" -> {
                tasks.add("");
                yield new Answer(204, "");
            }
            default -> each(body, task -> "{\"state\": \"returned\"}");
        };
    }

    private static Answer each(JsonNode body, Function<JsonNode, String> item) {
        List<String> items = new ArrayList<>();
        body.path("tasks").forEach(task -> items.add(item.apply(task)));
        return new Answer(200, "{\"tasks\": [" + String.join(", ", items) + "]}");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
