package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** HTTP/1.1 on one port, one virtual thread a request. All it decides is what no {@link Border} ever sees: malformed HTTP. */
public final class HttpServer implements AutoCloseable {
    private static final int MAX_PROLOGUE_BYTES = 8 << 10;
    private static final int MAX_HEADER_BYTES = 16 << 10;

    /** Of a node's call: what a caller has sent, and who that is. */
    private static final int MAX_PEER_HEADER_BYTES = 4 * MAX_HEADER_BYTES;

    private static final int MAX_CONNECTIONS = 10_000;
    private static final int MAX_CONCURRENT = 4_000;
    private static final String LIVE = "/health/live";
    private static final int BUSY = ProblemCode.BUSY.status();

    private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());

    private static final Map<String, HeaderName> NAMES = new ConcurrentHashMap<>();

    private final WebServer server;

    private HttpServer(WebServer server) {
        this.server = server;
    }

    /**
     * Looks whether an address can be listened on, before anything is opened: a port in use is the commonest mistake.
     *
     * @throws BindException if it can't
     */
    public static void mustBeFree(InetAddress address, int port) throws BindException {
        try (ServerSocket probe = new ServerSocket(port, 1, address)) {
            probe.getLocalPort();
        } catch (BindException e) {
            throw e;
        } catch (IOException e) {
            BindException bind = new BindException(String.valueOf(e.getMessage()));
            bind.initCause(e);
            throw bind;
        }
    }

    /**
     * Listens.
     *
     * @param port 0 picks a free one
     * @param border asked at each request; empty while there is none, which callers are told
     * @throws BindException if the address can't be listened on
     */
    public static HttpServer start(InetAddress address, int port, Supplier<Optional<Border>> border)
            throws BindException {
        return start(address, port, MAX_CONCURRENT, border);
    }

    /**
     * The same, for so many requests at once; who comes beyond is told to come again.
     *
     * @throws BindException if the address can't be listened on
     */
    public static HttpServer start(InetAddress address, int port, int concurrent, Supplier<Optional<Border>> border)
            throws BindException {
        return start(address, port, Optional.empty(), concurrent, border);
    }

    /** The same, encrypted: for other nodes. */
    public static HttpServer start(InetAddress address, int port, Optional<Tls> tls, Supplier<Optional<Border>> border)
            throws BindException {
        return start(address, port, tls, MAX_CONCURRENT, border);
    }

    private static HttpServer start(
            InetAddress address, int port, Optional<Tls> tls, int concurrent, Supplier<Optional<Border>> border)
            throws BindException {
        requireNonNull(border);
        try {
            WebServerConfig.Builder server = WebServer.builder()
                    .bindAddress(new InetSocketAddress(address, port))
                    .shutdownHook(false)
                    .shutdownGracePeriod(Duration.ofMillis(500))
                    .featuresDiscoverServices(false)
                    .protocolsDiscoverServices(false)
                    .maxTcpConnections(MAX_CONNECTIONS)
                    .maxConcurrentRequests(concurrent)
                    .idleConnectionTimeout(Duration.ofMinutes(2))
                    // Else the second packet of an answer waits for the client to acknowledge the first.
                    .connectionOptions(socket -> socket.tcpNoDelay(true))
                    .addProtocol(Http1Config.builder()
                            .maxPrologueLength(MAX_PROLOGUE_BYTES)
                            .maxHeadersSize(tls.isPresent() ? MAX_PEER_HEADER_BYTES : MAX_HEADER_BYTES)
                            .build())
                    .directHandlers(direct())
                    .addRouting(HttpRouting.builder().any((request, response) -> serve(border, request, response)));
            tls.ifPresent(it -> server.tls(it));
            WebServer started = server.build().start();
            if (!started.isRunning()) {
                // The library only logs why.
                throw new BindException("the address can't be listened on");
            }
            return new HttpServer(started);
        } catch (UncheckedIOException | IllegalStateException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof BindException bind) {
                    throw bind;
                }
            }
            throw e;
        }
    }

    public int port() {
        return server.port();
    }

    /** Takes no more requests, and lets those that run end, briefly. */
    @Override
    public void close() {
        server.stop();
    }

    private static void serve(Supplier<Optional<Border>> border, ServerRequest request, ServerResponse response) {
        Headers headers = new Headers(
                name -> values(request, name),
                () -> request.headers().stream().map(Header::name).toList());
        OptionalLong length = request.headers().contentLength();
        boolean hasBody = length.orElse(0) > 0 || request.headers().contains(HeaderValues.TRANSFER_ENCODING_CHUNKED);
        BodyStream body = hasBody ? new BodyStream(() -> request.content().inputStream()) : BodyStream.none();
        Request incoming = new Request(
                request.prologue().method().text(),
                request.prologue().uriPath().rawPath(),
                request.prologue().query().rawValue(),
                headers,
                length,
                body);
        Reply reply = border.get().map(it -> it.answer(incoming)).orElseGet(() -> starting(incoming));
        response.status(Status.create(reply.status()));
        for (Map.Entry<String, String> header : reply.headers().entrySet()) {
            response.header(named(header.getKey()), header.getValue());
        }
        reply.etag().ifPresent(tag -> response.header(HeaderNames.ETAG, '"' + tag + '"'));
        // Who waits to be told to go on, and was told something else, sends no body any more, or its next request: who
        // knows?
        boolean unsent = !body.isEnded() && !body.isAsked() && request.headers().contains(HeaderValues.EXPECT_100);
        boolean last = unsent || reply.closes() || request.headers().contains(HeaderValues.CONNECTION_CLOSE);
        if (last) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        if (!reply.mediaType().isEmpty()) {
            response.header(HeaderNames.CONTENT_TYPE, reply.mediaType());
        }
        if (incoming.method().equals("HEAD")) {
            response.contentLength(reply.body().length);
            response.send();
        } else if (reply.outpour().isPresent()) {
            pour(reply.outpour().get(), response);
        } else if (reply.body().length == 0) {
            response.send();
        } else {
            response.send(reply.body());
        }
        if (reply.status() == BUSY) {
            letOthersGoFirst();
        }
        boolean ended = unsent || body.passOver();
        if (last || !ended) {
            // Helidon says so to the client and waits for it to hang up, which a client that reads to the end never
            // does.
            throw new CloseConnectionException("the last answer on this connection");
        }
    }

    /** Threads of requests have no slices of time: who has sent more behind a call that was shed would go on at once. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but how fair a flood is
    private static void letOthersGoFirst() {
        Thread.yield();
    }

    /** A client that has gone, or was too slow, is no fault of ours; nothing more can be said on its connection. */
    private static void pour(Reply.Outpour outpour, ServerResponse response) {
        try (OutputStream out = response.outputStream()) {
            outpour.writeTo(out);
        } catch (IOException | UncheckedIOException e) {
            LOG.log(Level.DEBUG, "a client has gone", e);
            throw new CloseConnectionException("the client has gone", e);
        }
    }

    /** It may wait for its database: to start it anew would help nothing, and so it says that it lives. */
    private static Reply starting(Request request) {
        if (request.rawPath().equals(LIVE)) {
            return SecurityHeaders.on(
                    Reply.json(200, JsonObject.builder().put("status", "live").build()));
        }
        return alone(
                Problem.of(ProblemCode.UNAVAILABLE, "Flowstone is starting").retryAfter(Duration.ofSeconds(1)));
    }

    /** An answer that no border made. */
    private static Reply alone(Problem problem) {
        String correlation = Correlation.fresh();
        return SecurityHeaders.on(problem.reply(correlation)).header(Border.CORRELATION, correlation);
    }

    private static List<String> values(ServerRequest request, String name) {
        HeaderName header = named(name);
        return request.headers().contains(header)
                ? request.headers().get(header).allValues()
                : List.of();
    }

    /** Headers' names are ours, hence few. */
    private static HeaderName named(String name) {
        return NAMES.computeIfAbsent(name, HeaderNames::create);
    }

    private static DirectHandlers direct() {
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        for (DirectHandler.EventType event : DirectHandler.EventType.values()) {
            handlers.addHandler(event, (request, type, status, headers, message) -> direct(status));
        }
        return handlers.build();
    }

    /** For what never became a request: the same form of answer, without a caller's names, which nobody could read. */
    private static DirectHandler.TransportResponse direct(Status status) {
        Problem problem = switch (status.code()) {
            case 413 -> Problem.of(ProblemCode.BODY_TOO_LARGE, "the body is larger than this server takes");
            case 414 -> Problem.of(ProblemCode.URI_TOO_LONG, "an address has at most " + MAX_PROLOGUE_BYTES + " bytes");
            case 500 -> Problem.of(ProblemCode.INTERNAL, "the server's log has the details");
            case 503 ->
                Problem.of(ProblemCode.BUSY, "too many requests at once").retryAfter(Duration.ofSeconds(1));
            default ->
                Problem.of(
                        ProblemCode.INVALID_REQUEST,
                        "this is not HTTP as this server understands it, or its headers are longer than "
                                + MAX_HEADER_BYTES + " bytes");
        };
        Reply reply = alone(problem);
        DirectHandler.TransportResponse.Builder response = DirectHandler.TransportResponse.builder()
                .status(Status.create(reply.status()))
                .header(HeaderNames.CONTENT_TYPE, reply.mediaType())
                .header(HeaderValues.CONNECTION_CLOSE)
                .keepAlive(false)
                .entity(reply.body());
        for (Map.Entry<String, String> header : reply.headers().entrySet()) {
            response.header(HeaderNames.create(header.getKey()), header.getValue());
        }
        return response.build();
    }
}
