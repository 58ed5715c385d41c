package dev.flowstone.outbound;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** A server on the loopback interface that answers as the test says, and keeps what it was sent. */
final class Peer implements AutoCloseable {
    /** Requests that came, in order. */
    final ConcurrentLinkedQueue<Got> got = new ConcurrentLinkedQueue<>();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** A request that came. */
    record Got(String method, String uri, Headers headers, String body) {
        Optional<String> header(String name) {
            return Optional.ofNullable(headers.getFirst(name));
        }
    }

    /** An answer. */
    record Reply(int status, List<HttpHeader> headers, String body) {
        static Reply ok(String body) {
            return new Reply(200, List.of(), body);
        }

        static Reply redirect(int status, String location) {
            return new Reply(status, List.of(HttpHeader.of("Location", location)), "");
        }
    }

    private Peer(HttpServer server, Function<Got, Reply> answers) {
        this.server = server;
        server.createContext("/", exchange -> serve(exchange, answers));
        server.setExecutor(threads);
        server.start();
    }

    static Peer plain(Function<Got, Reply> answers) throws IOException {
        return at("127.0.0.1", 0, answers);
    }

    /** At an address of the loopback interface, and a port of one's own choice. */
    static Peer at(String address, int port, Function<Got, Reply> answers) throws IOException {
        return new Peer(HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral(address), port), 50), answers);
    }

    static Peer secure(SSLContext tls, Function<Got, Reply> answers) throws IOException {
        HttpsServer server = HttpsServer.create(loopback(), 50);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new Peer(server, answers);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url(String host, String path) {
        return (server instanceof HttpsServer ? "https://" : "http://") + host + ":" + port() + path;
    }

    private void serve(HttpExchange exchange, Function<Got, Reply> answers) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Got request = new Got(
                exchange.getRequestMethod(), exchange.getRequestURI().toString(), exchange.getRequestHeaders(), body);
        got.add(request);
        Reply reply = answers.apply(request);
        reply.headers().forEach(header -> exchange.getResponseHeaders().add(header.name(), header.value()));
        byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
        boolean bodied = bytes.length > 0 && !request.method().equals("HEAD");
        exchange.sendResponseHeaders(reply.status(), bodied ? bytes.length : -1);
        if (bodied) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
