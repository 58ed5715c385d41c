package dev.flowstone.sdk.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.flowstone.sdk.http.Backoff;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Answers a client as the test says, one after another, and keeps what it was told. The last thing to say is said again. */
final class PaperApi implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ConcurrentLinkedDeque<Says> script = new ConcurrentLinkedDeque<>();
    private final ConcurrentLinkedQueue<Asked> asked = new ConcurrentLinkedQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);

    /** A call that came in. */
    record Asked(String method, String path, Map<String, List<String>> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, List.of("")).getFirst();
        }
    }

    /** What it does with a call. */
    @FunctionalInterface
    interface Says {
        void to(Asked asked, HttpExchange exchange) throws IOException, InterruptedException;
    }

    PaperApi() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", this::serve);
        server.setExecutor(threads);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    FlowstoneClient.Builder client() {
        return FlowstoneClient.of(address())
                .attemptTimeout(Duration.ofSeconds(30))
                .retry(new RetryPolicy(
                        4, new Backoff(Duration.ofMillis(5), Duration.ofMillis(20)), Duration.ofSeconds(60)));
    }

    PaperApi says(Says next) {
        script.add(next);
        return this;
    }

    PaperApi says(int status, String body, String... headers) {
        return says((_, exchange) -> answer(exchange, status, body, headers));
    }

    /** Does what the server does, and breaks off in the middle of its answer. */
    PaperApi breaksOff(Consumer<Asked> does) {
        return says((call, exchange) -> {
            does.accept(call);
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write("{\"executionId\": \"x".getBytes(UTF_8));
        });
    }

    /** Says nothing until the test is over. */
    PaperApi isSilent() {
        return says((_, _) -> over.await());
    }

    static void answer(HttpExchange exchange, int status, String body, String... headers) throws IOException {
        for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
        }
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    static String problem(int status, String code, String category, String more) {
        return "{\"status\": %d, \"code\": \"%s\", \"category\": \"%s\", \"detail\": \"so it is\", \"correlationId\": \"c-1\"%s}"
                .formatted(status, code, category, more);
    }

    List<Asked> asked() {
        return List.copyOf(asked);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            Asked call = new Asked(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    headers(exchange),
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            asked.add(call);
            Says next = script.size() > 1 ? script.poll() : script.peek();
            if (next != null) {
                next.to(call, exchange);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Map<String, List<String>> headers(HttpExchange exchange) {
        Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(exchange.getRequestHeaders());
        return all;
    }

    @Override
    public void close() {
        over.countDown();
        server.stop(0);
        threads.close();
    }
}
