package dev.flowstone.sdk.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** When a server that refuses a call asks to be called again. */
final class ServerTest {
    private static Optional<Duration> wait(String header, String body) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Retry-After", header);
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(429, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        try (Server client = new Server(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                Map.of(),
                JsonMapper.builder().build())) {
            ServerAnswer answer = client.get("/x", Duration.ofSeconds(30));
            return answer instanceof ServerAnswer.Refused refused ? refused.retryAfter() : Optional.empty();
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @CsvSource({"7, 7", "1000000, 300", "0, 0", "soon, 0"})
    void itIsToldByTheHeaderOfWhateverStandsInBetween(String header, int seconds) throws Exception {
        assertEquals(
                seconds == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds)), wait(header, "too many"));
    }

    @Test
    void whatTheServerItselfSaysCounts() throws Exception {
        assertEquals(Optional.of(Duration.ofSeconds(2)), wait("7", "{\"retryAfterSeconds\": 2}"));
        assertEquals(Optional.of(Duration.ofMinutes(5)), wait("7", "{\"retryAfterSeconds\": 99999999999}"));
    }
}
