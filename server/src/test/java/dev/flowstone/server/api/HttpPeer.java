package dev.flowstone.server.api;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** What an execution calls: a server on the loopback interface that answers as the test says, and keeps what it was sent. */
final class HttpPeer implements AutoCloseable {
    /** Requests that came, in order. */
    final ConcurrentLinkedQueue<Got> got = new ConcurrentLinkedQueue<>();

    private final HttpServer server =
            HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 50);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * A request that came.
     *
     * @param at {@link System#nanoTime}
     */
    record Got(String method, String uri, Headers headers, String body, long at) {
        String header(String name) {
            return String.valueOf(headers.getFirst(name));
        }
    }

    /** An answer, with one value for each header. */
    record Reply(int status, Map<String, String> headers, String body) {
        static Reply json(String body) {
            return new Reply(200, Map.of("Content-Type", "application/json"), body);
        }

        static Reply of(int status) {
            return new Reply(status, Map.of(), "");
        }
    }

    HttpPeer(Function<Got, Reply> answers) throws IOException {
        server.createContext("/", exchange -> serve(exchange, answers));
        server.setExecutor(threads);
        server.start();
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    List<Got> all() {
        return List.copyOf(got);
    }

    private void serve(HttpExchange exchange, Function<Got, Reply> answers) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Got request = new Got(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    body,
                    System.nanoTime());
            got.add(request);
            Reply reply = answers.apply(request);
            reply.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
            byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
            boolean bodied = bytes.length > 0 && !request.method().equals("HEAD");
            exchange.sendResponseHeaders(reply.status(), bodied ? bytes.length : -1);
            if (bodied) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
