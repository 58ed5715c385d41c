package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Webhook;
import dev.flowstone.server.effect.Webhooks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The receiver in {@code examples/events} knows what is genuine and what it has seen. */
final class ExampleReceiverTest {
    private static final WebhookSecret SECRET = WebhookSecret.generate();

    @TempDir
    Path folder = Path.of("");

    private static OutEvent event(int sequence) {
        RunId run = RunId.of(Instant.EPOCH, new Slot(1), 7);
        byte[] body = ("{\"n\":" + sequence + "}").getBytes(StandardCharsets.UTF_8);
        return new OutEvent(run, run + "/" + sequence, body, new FeedPlace(1, 1));
    }

    private static void send(int port, WebhookSecret secret, OutEvent event) throws Exception {
        Webhook webhook = new Webhook("crm", "http://127.0.0.1:" + port + "/", List.of(secret), 0, 0);
        try (Webhooks webhooks =
                Webhooks.open(OutboundConfig.DEFAULT, new FlowstoneConfig.Outbox(8, 12, List.of(webhook)))) {
            new WebhookSink(webhooks.client().orElseThrow(), webhook, Duration.ofSeconds(10), InstantSource.system())
                    .send(event);
        }
    }

    private static void sendOnceItListens(int port, OutEvent event) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                send(port, SECRET, event);
                return;
            } catch (SendException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
    }

    @Test
    void printsEachGenuineEventOnce() throws Exception {
        int port = FreePort.next();
        Path printed = folder.resolve("printed");
        Process receiver = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        Path.of("..", "examples", "events", "Receiver.java").toString(),
                        SECRET.text(),
                        Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            sendOnceItListens(port, event(1));
            send(port, SECRET, event(1));
            SendException forged =
                    assertThrows(SendException.class, () -> send(port, WebhookSecret.generate(), event(2)));
            assertEquals("the endpoint answered 401", forged.getMessage());
            send(port, SECRET, event(3));
        } finally {
            receiver.destroy();
            receiver.waitFor();
        }
        assertEquals("{\"n\":1}\n{\"n\":3}\n", Files.readString(printed));
    }
}
