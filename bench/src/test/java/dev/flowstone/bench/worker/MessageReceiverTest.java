package dev.flowstone.bench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.FreePort;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example that Standard Webhooks publishes, and one that was changed on its way. */
final class MessageReceiverTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void knowsWhatIsSigned() throws Exception {
        int port = FreePort.next();
        Path ledger = folder.resolve("messages.log");
        try (MessageReceiver _ = MessageReceiver.start(ledger, port, SECRET);
                HttpClient client = HttpClient.newHttpClient()) {
            send(client, port, "{\"test\": 2432232314}");
            send(client, port, "{\"test\": 2432232315}");
        }
        List<String> lines = Files.readAllLines(ledger);
        assertEquals(2, lines.size());
        assertTrue(lines.getFirst().contains(" msg_p5jXN8AQM9LWM0D4loKWxJek - genuine "), lines::toString);
        assertTrue(lines.getLast().contains(" msg_p5jXN8AQM9LWM0D4loKWxJek - forged "), lines::toString);
    }

    private static void send(HttpClient client, int port, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .header("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
                .header("webhook-timestamp", "1614265330")
                .header("webhook-signature", SIGNATURE)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        int status =
                client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        assertTrue(status == 204 || status == 503, () -> "answered " + status);
    }
}
