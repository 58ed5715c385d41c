package dev.flowstone.vendors.standin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A vendor on the loopback interface, which keeps what it was sent, and can be made to misbehave. */
public abstract class StandIn implements AutoCloseable {
    /** Seconds that a 429 and a 503 ask for. */
    public static final int PAUSE = 7;

    private static final int PATIENCE_SECONDS = 60;

    private record Troubled(Predicate<Got> which, Trouble trouble) {}

    private final ConcurrentLinkedQueue<Got> got = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Troubled> troubled = new AtomicReference<>();
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private final String token;

    /**
     * At a port of its own.
     *
     * @param token whoever shows another one is refused
     */
    protected StandIn(String token) {
        this.token = token;
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 50);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it is, below which its vendor's paths are. It answers from when somebody knows. */
    public String url() {
        if (begun.compareAndSet(false, true)) {
            server.createContext("/", this::serve);
            server.setExecutor(threads);
            server.start();
        }
        return "http://127.0.0.1:" + server.getAddress().getPort() + root();
    }

    /** What came, in its order. */
    public List<Got> got() {
        return List.copyOf(got);
    }

    /** From now on these requests have it. */
    public void trouble(Predicate<Got> which, Trouble trouble) {
        troubled.set(new Troubled(which, trouble));
    }

    /** As if nothing had been. */
    public void well() {
        troubled.set(null);
    }

    /** So many more requests are answered, and none beyond until another number is given. */
    public void limit(int requests) {
        left.set(requests);
    }

    /** Before its vendor's paths. */
    protected abstract String root();

    /** By the vendor's rules; the token is right. */
    protected abstract Reply answer(Got request);

    /** What is said to a token that isn't right; empty text for none. */
    protected abstract Reply unauthenticated(String shown);

    /** A status, in the vendor's words. */
    protected abstract Reply status(int status, Got request);

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            Got request = new Got(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath().substring(root().length()),
                    Got.query(Optional.ofNullable(exchange.getRequestURI().getRawQuery())),
                    exchange.getRequestHeaders(),
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            got.add(request);
            Troubled now = troubled.get();
            if (now == null || !now.which().test(request)) {
                send(exchange, ruled(request), 0);
            } else {
                befall(exchange, request, now.trouble());
            }
        }
    }

    private void befall(HttpExchange exchange, Got request, Trouble trouble) throws IOException {
        switch (trouble) {
            case Trouble.Status(int status) -> send(exchange, status(status, request), 0);
            case Trouble.Slow _ -> waitUntilClosed();
            case Trouble.DoneThen(int status) -> {
                ruled(request);
                send(exchange, status(status, request), 0);
            }
            case Trouble.Late _ -> {
                ruled(request);
                waitUntilClosed();
            }
            case Trouble.Lost _ -> ruled(request);
            case Trouble.CutOff _ -> send(exchange, ruled(request), 1_000);
            case Trouble.WrongType _ -> send(exchange, Reply.html(200, "<html>Please sign in.</html>"), 0);
            case Trouble.Answer(Reply reply) -> send(exchange, reply, 0);
            case Trouble.Redirect(int status, String to) ->
                send(exchange, Reply.html(status, "").with("Location", to), 0);
            case Trouble.Meanwhile(Runnable what) -> {
                what.run();
                send(exchange, ruled(request), 0);
            }
        }
    }

    private Reply ruled(Got request) {
        String shown = request.header("Authorization").replaceFirst("^Bearer ", "");
        if (!shown.equals(token)) {
            return unauthenticated(shown);
        }
        return left.getAndDecrement() > 0 ? answer(request) : status(429, request);
    }

    private void waitUntilClosed() {
        try {
            boolean _ = closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Promises so many bytes more than it sends. */
    private static void send(HttpExchange exchange, Reply reply, int missing) throws IOException {
        byte[] bytes = reply.body().getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", reply.type());
        reply.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
        exchange.sendResponseHeaders(reply.status(), bytes.length + missing);
        exchange.getResponseBody().write(bytes);
        exchange.getResponseBody().flush();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
