package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.Border;
import dev.flowstone.server.http.Bounds;
import dev.flowstone.server.http.Handler;
import dev.flowstone.server.http.Hosts;
import dev.flowstone.server.http.HttpServer;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.server.http.Room;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Routes;
import dev.flowstone.server.http.Waits;
import dev.flowstone.server.http.Watch;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a server says that can't serve now, at every operation of the served document: while it starts, when a handler fails or its
 * database is away, when there is no room. Each of these codes that the document names is given, and none that it doesn't name
 * ({@link ApiContract}).
 */
final class FaultProbeTest {
    private static final TenantId OTHERS = new TenantId("others");

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String LONG = "{\"a\": \"" + "x".repeat(40_000) + "\"}";

    private static RestFixture rest;
    private static HttpServer starting;
    private static HttpServer failing;
    private static HttpServer cutOff;
    private static HttpServer crowded;

    /** One that takes one request at a time, and has it. */
    private static HttpServer taken;

    private static final CountDownLatch OVER = new CountDownLatch(1);

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
        starting = HttpServer.start(InetAddress.getLoopbackAddress(), 0, Optional::empty);
        failing = serve(
                _ -> {
                    throw new IllegalStateException("a fault that is meant");
                },
                new Room(Long.MAX_VALUE));
        cutOff = serve(
                _ -> {
                    throw new JournalException.Unavailable("it is away, as is meant");
                },
                new Room(Long.MAX_VALUE));
        Room full = new Room(1);
        assertTrue(full.take(OTHERS, 1));
        crowded = serve(
                _ -> {
                    throw new AssertionError("it was let in");
                },
                full);
        CountDownLatch within = new CountDownLatch(1);
        taken = HttpServer.start(InetAddress.getLoopbackAddress(), 0, 1, () -> {
            within.countDown();
            awaitEnd();
            return Optional.empty();
        });
        CompletableFuture<HttpResponse<Void>> _ = CLIENT.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + taken.port() + "/"))
                        .build(),
                BodyHandlers.discarding());
        assertTrue(within.await(30, TimeUnit.SECONDS));
    }

    private static void awaitEnd() {
        try {
            OVER.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The routes that are served, all of whose handlers do that. */
    private static HttpServer serve(Handler handler, Room room) throws Exception {
        Routes routes = new Routes(rest.routes().all().stream()
                .map(route -> handled(route, handler))
                .toList());
        Border border = new Border(
                routes,
                new LoopbackCallers(),
                new Hosts(),
                Watch.NONE,
                new Bounds(RestFixture.MAX_BODY, Duration.ofMinutes(1), room, room, room));
        return HttpServer.start(InetAddress.getLoopbackAddress(), 0, () -> Optional.of(border));
    }

    private static Route handled(Route route, Handler handler) {
        return new Route(
                route.method(),
                route.path(),
                route.scope(),
                route.query(),
                route.body(),
                route.waits(),
                route.budget(),
                route.doc(),
                route.whose(),
                handler);
    }

    @AfterAll
    static void stop() {
        starting.close();
        failing.close();
        cutOff.close();
        crowded.close();
        OVER.countDown();
        taken.close();
        rest.close();
    }

    static Stream<Operation> operations() throws Exception {
        return Operation.of(rest.get("/api/v1/openapi.json").json()).stream();
    }

    /** Those that take a body, or a place among those that wait. */
    static Stream<Operation> bounded() throws Exception {
        Set<String> waiting = rest.routes().all().stream()
                .filter(route -> route.waits() != Waits.NOT)
                .map(Route::toString)
                .collect(Collectors.toSet());
        return operations().filter(it -> it.body().isPresent() || waiting.contains(it.toString()));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void itSaysThatItIsStarting(Operation operation) throws Exception {
        Answer answer = call(starting, operation, "{}");

        if (operation.refusals().contains("UNAVAILABLE")) {
            refused(503, "UNAVAILABLE", answer);
            assertEquals("1", answer.header("Retry-After").orElseThrow());
        } else {
            assertEquals("isLive 200", operation.id() + " " + answer.status());
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void aFaultOfOursIsToldAsOneAndSaysNothingOfItself(Operation operation) throws Exception {
        Answer answer = call(failing, operation, "{}");

        refused(500, "INTERNAL", answer);
        assertFalse(answer.response().body().contains("meant"), answer::toString);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void aDatabaseThatIsAwayIsToldAsThat(Operation operation) throws Exception {
        if (operation.refusals().contains("UNAVAILABLE")) {
            refused(503, "UNAVAILABLE", call(cutOff, operation, "{}"));
        }
    }

    @ParameterizedTest
    @MethodSource("bounded")
    void withoutRoomItIsNotLetIn(Operation operation) throws Exception {
        Answer answer = call(crowded, operation, LONG);

        refused(503, "BUSY", answer);
        assertEquals("1", answer.header("Retry-After").orElseThrow());
    }

    @ParameterizedTest
    @MethodSource("operations")
    void beyondWhatItTakesAtOnceItTellsToComeAgain(Operation operation) throws Exception {
        Answer answer = call(taken, operation, "{}");

        refused(503, "BUSY", answer);
        assertEquals("1", answer.header("Retry-After").orElseThrow());
    }

    private static void refused(int status, String code, Answer answer) {
        assertEquals(status, answer.status(), answer::toString);
        assertEquals(code, answer.text("/code"));
    }

    /** @param body sent if it takes one */
    private static Answer call(HttpServer server, Operation operation, String body) throws Exception {
        String target = operation.sound("");
        Optional<String> sent = operation.body().map(_ -> body);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + target))
                .method(operation.method(), sent.map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody));
        sent.ifPresent(_ -> request.setHeader("Content-Type", "application/json"));
        Answer answer = new Answer(CLIENT.send(request.build(), BodyHandlers.ofString()));
        rest.contract().check(operation.method(), target, sent, answer);
        return answer;
    }
}
