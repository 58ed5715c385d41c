package dev.flowstone.server.kill;

import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Sources;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.server.node.Serving;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** What {@code serve} serves, in a process of its own, with an endpoint. Arguments: data directory, file with its URL, file for the port. */
final class WebhookServer {
    private WebhookServer() {}

    public static void main(String... arguments) throws Exception {
        FlowstoneConfig config = FlowstoneConfig.of(Sources.of(
                Map.of(
                        "database.data",
                        arguments[0],
                        "webhook.shop.url",
                        Files.readString(Path.of(arguments[1])),
                        "webhook.shop.secret",
                        "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"),
                Map.of(),
                Optional.empty()));
        Serving serving =
                Serving.start(InetAddress.getLoopbackAddress(), 0, config.http(), "test", () -> Flowstone.open(config));
        Runtime.getRuntime().addShutdownHook(new Thread(serving::close));
        Path port = Path.of(arguments[2]);
        Path draft = Files.writeString(port.resolveSibling(port.getFileName() + ".new"), "" + serving.port());
        Files.move(draft, port, StandardCopyOption.ATOMIC_MOVE);
        new CountDownLatch(1).await();
    }
}
