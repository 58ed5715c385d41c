package dev.flowstone.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a connection whose call was shed, cut off, or never sent whole. */
@Timeout(60)
final class ConnectionTest {
    private static final int MOST = 1 << 20;

    private final Room bodies = new Room(2 * MOST);
    private final Room calls = new Room(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch within = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        Caller caller = new Caller(
                Caller.Standing.OPERATOR,
                new TenantId("acme"),
                new Actor("user", "ann"),
                Set.of(),
                Set.of(Scope.values()));
        Route hold = Route.post("/hold", Scope.SIGNALS_WRITE, Set.of(), BodyRule.OPTIONAL, _ -> {
                    within.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return Reply.nothing();
                })
                .waiting(Waits.CALL);
        Route keep = Route.post("/keep", Scope.SIGNALS_WRITE, Set.of(), BodyRule.REQUIRED, _ -> Reply.nothing())
                .waiting(Waits.CALL);
        Route look = Route.get("/look", Scope.EXECUTIONS_READ, Set.of(), _ -> Reply.json(200, JsonObject.EMPTY));
        Border border = new Border(
                new Routes(List.of(hold, keep, look)),
                _ -> caller,
                new Hosts(),
                Watch.NONE,
                new Bounds(MOST, Duration.ofMillis(300), bodies, new Room(1), calls));
        server = HttpServer.start(InetAddress.getLoopbackAddress(), 0, () -> Optional.of(border));
    }

    @AfterEach
    void close() {
        goOn.countDown();
        server.close();
    }

    /** One connection, byte for byte. */
    private final class Wire implements AutoCloseable {
        private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        private final BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));

        Wire() throws IOException {}

        Wire send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(UTF_8));
            return this;
        }

        Wire post(String path, int length, String... headers) throws IOException {
            StringBuilder text = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n");
            for (String header : headers) {
                text.append(header).append("\r\n");
            }
            return send(text + "Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n");
        }

        /** Status line and headers of the next answer; its body is skipped. Empty if the connection has ended. */
        String answer() throws IOException {
            StringBuilder head = new StringBuilder();
            int length = 0;
            for (String line = line(); !line.isEmpty(); line = line()) {
                head.append(line).append('\n');
                if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                    length = Integer.parseInt(line.substring(15).strip());
                }
            }
            for (int i = 0; i < length; i++) {
                in.read();
            }
            return head.toString();
        }

        private String line() throws IOException {
            try {
                String line = in.readLine();
                return line == null ? "" : line;
            } catch (SocketException reset) {
                return "";
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Wire full() throws Exception {
        Wire holder = new Wire().post("/hold", 0);
        within.await();
        return holder;
    }

    private static void assertShed(String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
        assertTrue(answer.contains("Retry-After: 1\n"), answer);
    }

    @Test
    void aConnectionWhoseShortCallWasShedTakesTheNext() throws Exception {
        try (Wire holder = full();
                Wire wire = new Wire()) {
            for (int i = 0; i < 3; i++) {
                wire.post("/keep", 2).send("{}");
                String answer = wire.answer();
                assertShed(answer);
                assertFalse(answer.contains("Connection: close"), answer);
            }
            wire.send("GET /look HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertTrue(wire.answer().startsWith("HTTP/1.1 200 "));
            goOn.countDown();
            assertTrue(holder.answer().startsWith("HTTP/1.1 204 "));
            wire.post("/keep", 2).send("{}");
            assertTrue(wire.answer().startsWith("HTTP/1.1 204 "));
        }
    }

    @Test
    void whoAsksWhetherToSendIsNotAskedToWhenThereIsNoPlace() throws Exception {
        try (Wire _ = full();
                Wire wire = new Wire().post("/keep", 2, "Expect: 100-continue")) {
            String answer = wire.answer();

            assertShed(answer);
            assertTrue(answer.contains("Connection: close"), answer);
            assertEquals("", wire.answer(), "and the connection ends");
        }
    }

    @Test
    void whoSendsNothingOfABodyIsEndedAndKeepsNobodyOut() throws Exception {
        try (Wire silent = new Wire().post("/keep", 2);
                Wire other = new Wire()) {
            other.post("/keep", 2).send("{}");
            assertTrue(other.answer().startsWith("HTTP/1.1 204 "));
            String last = silent.answer();
            assertTrue(last.isEmpty() || last.startsWith("HTTP/1.1 400 "), last);
            assertEquals("", silent.answer(), "and the connection ends");
        }
    }

    @Test
    void whoIsRefusedAndSendsNothingIsEndedToo() throws Exception {
        try (Wire _ = full();
                Wire silent = new Wire().post("/keep", 2)) {
            assertShed(silent.answer());
            assertEquals("", silent.answer(), "and then the connection ends");
        }
    }

    @Test
    void aClientThatGoesInItsBodyLeavesNothingBehind() throws Exception {
        for (int i = 0; i < 5; i++) {
            try (Wire gone = new Wire().post("/keep", MOST)) {
                gone.send("{\"a\": \"" + "x".repeat(100_000));
            }
        }
        try (Wire wire = new Wire()) {
            wire.post("/keep", 900_000).send("{\"a\": \"" + "x".repeat(900_000 - 9) + "\"}");
            assertTrue(wire.answer().startsWith("HTTP/1.1 204 "));
        }
        while (bodies.taken() > 0) {
            Thread.onSpinWait();
        }
        assertEquals(0, calls.taken());
    }

    @Test
    void whoSendsTooMuchIsToldWhileTheySend() throws Exception {
        try (Wire wire = new Wire().post("/keep", 3 * MOST)) {
            wire.send("x".repeat(3 * MOST));
            String answer = wire.answer();
            assertTrue(answer.startsWith("HTTP/1.1 413 "), answer);
            assertEquals("", wire.answer());
        }
    }
}
