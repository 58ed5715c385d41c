package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.client.Identity;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.client.ServerClient;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Sources;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.server.node.Serving;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on every interface that asks for a token. */
final class RemoteTokenTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    private static ServerAnswer asked(int port, Optional<String> token, String path) throws InterruptedException {
        Identity identity = new Identity(Optional.empty(), Optional.empty(), Optional.empty(), token);
        assertFalse(identity.toString().contains(TOKEN));
        try (ServerClient client = new ServerClient(URI.create("http://127.0.0.1:" + port), identity)) {
            return client.call(ServerCall.of("GET", path));
        }
    }

    @Test
    void onlyWhoHasItIsAnswered(@TempDir Path data) throws Exception {
        FlowstoneConfig config = FlowstoneConfig.of(Sources.of(
                Map.of("database.data", data.toString(), "http.host", "0.0.0.0"),
                Map.of("FLOWSTONE_HTTP_TOKEN", TOKEN),
                Optional.empty()));
        assertFalse(config.toString().contains(TOKEN), "it is never shown");
        try (Serving serving = Serving.start(
                InetAddress.getByName("0.0.0.0"), 0, config.http(), "test", () -> Flowstone.open(config))) {
            int port = serving.port();

            ServerAnswer nobody = asked(port, Optional.empty(), "/workflows");
            assertTrue(nobody instanceof ServerAnswer.Refused refused && refused.status() == 401, nobody::toString);
            ServerAnswer wrong = asked(port, Optional.of(TOKEN + "0"), "/workflows");
            assertTrue(wrong instanceof ServerAnswer.Refused refused && refused.status() == 401, wrong::toString);
            assertEquals(
                    ServerAnswer.Done.class,
                    asked(port, Optional.of(TOKEN), "/workflows").getClass());
            assertEquals(
                    ServerAnswer.Done.class, asked(port, Optional.empty(), "").getClass(), "the index is public");
        }
    }
}
