package dev.flowstone.server.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a client does whose server has too many calls. */
final class ServerClientTest {
    private record Reply(int status, Optional<String> retryAfter) {}

    private final AtomicInteger calls = new AtomicInteger();

    private ServerAnswer answer(Reply... replies) throws Exception {
        Queue<Reply> next = new ArrayDeque<>(List.of(replies));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", exchange -> {
            calls.incrementAndGet();
            Reply reply = next.remove();
            exchange.getRequestBody().readAllBytes();
            reply.retryAfter().ifPresent(it -> exchange.getResponseHeaders().add("Retry-After", it));
            byte[] body = "{\"code\": \"RATE_LIMITED\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(reply.status(), body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        Identity nobody = new Identity(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        try (ServerClient client = new ServerClient(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), nobody)) {
            return client.call(ServerCall.of("POST", "/signals").under("key"));
        } finally {
            server.stop(0);
        }
    }

    private static Reply refused(String retryAfter) {
        return new Reply(429, Optional.of(retryAfter));
    }

    @Test
    void itComesAgainWhenTheServerSaysSo() throws Exception {
        long begun = System.nanoTime();
        ServerAnswer answer = answer(refused("1"), new Reply(200, Optional.empty()));

        assertEquals(ServerAnswer.Done.class, answer.getClass());
        assertEquals(2, calls.get());
        assertTrue(System.nanoTime() - begun >= 1_000_000_000L);
    }

    @Test
    void itWaitsNotForLongAndNotForWhoDoesNotSay() throws Exception {
        for (Reply reply : List.of(
                refused("3600"),
                refused("Wed, 21 Oct 2065 07:28:00 GMT"),
                new Reply(429, Optional.empty()),
                new Reply(503, Optional.of("1")))) {
            calls.set(0);
            ServerAnswer answer = answer(reply);
            assertTrue(
                    answer instanceof ServerAnswer.Refused refused && refused.status() == reply.status(),
                    answer::toString);
            assertEquals(1, calls.get());
        }
    }
}
