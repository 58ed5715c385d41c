package dev.flowstone.server.effect;

import com.sun.net.httpserver.HttpServer;
import dev.flowstone.outbound.HttpHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Somebody's endpoint: keeps what comes, and answers what the test says. */
public final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private volatile Function<Received, Integer> answers = _ -> 204;
    private volatile Function<Received, String> texts = _ -> "";

    /** One request. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Received(String path, List<HttpHeader> headers, byte[] body) {
        /** A header's value, or nothing. */
        public String header(String name) {
            return headers.stream()
                    .filter(header -> header.name().equalsIgnoreCase(name))
                    .map(HttpHeader::value)
                    .findFirst()
                    .orElse("");
        }
    }

    /** Listens on the loopback interface. */
    public Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            Received one = new Received(
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().entrySet().stream()
                            .flatMap(header ->
                                    header.getValue().stream().map(value -> HttpHeader.of(header.getKey(), value)))
                            .toList(),
                    exchange.getRequestBody().readAllBytes());
            int status = answers.apply(one);
            byte[] text = texts.apply(one).getBytes(StandardCharsets.UTF_8);
            received.add(one);
            exchange.sendResponseHeaders(status, text.length == 0 ? -1 : text.length);
            if (text.length > 0) {
                exchange.getResponseBody().write(text);
            }
            exchange.close();
        });
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    /** From now on. */
    public Receiver answering(Function<Received, Integer> statuses) {
        answers = statuses;
        return this;
    }

    /** The bodies of its answers, from now on. */
    public Receiver saying(Function<Received, String> said) {
        texts = said;
        return this;
    }

    /** The next request; waits for it. */
    public Received next() throws InterruptedException {
        return Optional.ofNullable(received.poll(3, TimeUnit.MINUTES))
                .orElseThrow(() -> new AssertionError("nothing came"));
    }

    /** What came that nobody has asked for. */
    public List<Received> all() {
        return List.copyOf(received);
    }

    /** How many came that nobody has asked for. */
    public int waiting() {
        return received.size();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
