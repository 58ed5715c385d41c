package dev.flowstone.server.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How readers come, stay and go; what they read is tested over HTTP. */
final class EventStreamsTest {
    private static final EventFilter FILTER =
            new EventFilter(new TenantId("acme"), Optional.empty(), Optional.empty(), Set.of());

    private final Ports ports = new InMemoryDatabase(Clock.SYSTEM, 2).ports();

    private static CompletableFuture<Optional<IOException>> read(EventStreams streams, OutputStream out) {
        CompletableFuture<Optional<IOException>> ended = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                streams.open(FILTER, Optional.empty(), false).writeTo(out);
                ended.complete(Optional.empty());
            } catch (IOException e) {
                ended.complete(Optional.of(e));
            } catch (Exception e) {
                ended.completeExceptionally(e);
            }
        });
        return ended;
    }

    /** Tells when something was written; takes nothing at all if it is told to. */
    private static final class Client extends OutputStream {
        final CountDownLatch lines;
        final boolean stuck;
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();

        Client(int lines, boolean stuck) {
            this.lines = new CountDownLatch(lines);
            this.stuck = stuck;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) throws IOException {
            taken.write(bytes, from, length);
            lines.countDown();
            if (stuck) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw new IOException("closed by interrupt", e);
                }
            }
        }
    }

    @Test
    void aQuietClientHearsHeartbeatsThatCarryItsPlace() throws Exception {
        EventStreams streams = new EventStreams(ports, Duration.ofMillis(1), Duration.ofMinutes(1), 5);
        Client client = new Client(4, false);
        CompletableFuture<Optional<IOException>> ended = read(streams, client);

        assertTrue(client.lines.await(30, TimeUnit.SECONDS));
        streams.close();

        assertEquals(Optional.empty(), ended.get(30, TimeUnit.SECONDS));
        String text = client.taken.toString(java.nio.charset.StandardCharsets.UTF_8);
        assertTrue(text.startsWith("retry: 1000\n\nid: "), text);
        assertTrue(text.contains(": still here\n\n"), text);
        assertTrue(text.endsWith(": the server stops\n\n"), text);
    }

    @Test
    void aClientThatTakesNothingIsSentAway() throws Exception {
        EventStreams streams = new EventStreams(ports, Duration.ofSeconds(1), Duration.ofMillis(1), 5);

        Optional<IOException> end = read(streams, new Client(1, true)).get(30, TimeUnit.SECONDS);

        assertEquals("closed by interrupt", end.orElseThrow().getMessage());
        streams.close();
    }

    @Test
    void nobodyIsLetInBeyondTheBoundOrAfterTheEnd() throws Exception {
        EventStreams streams = new EventStreams(ports, Duration.ofSeconds(1), Duration.ofMinutes(1), 1);
        Client first = new Client(1, false);
        CompletableFuture<Optional<IOException>> reading = read(streams, first);
        assertTrue(first.lines.await(30, TimeUnit.SECONDS));
        assertTrue(streams.isFull());

        Client second = new Client(1, false);
        read(streams, second).get(30, TimeUnit.SECONDS);
        assertTrue(
                second.taken.toString(java.nio.charset.StandardCharsets.UTF_8).startsWith(": too many"));
        streams.close();
        reading.get(30, TimeUnit.SECONDS);
        Client late = new Client(1, false);
        assertEquals(Optional.empty(), endOf(streams, late));
    }

    private static Optional<IOException> endOf(EventStreams streams, Client client)
            throws InterruptedException, ExecutionException, java.util.concurrent.TimeoutException {
        return read(streams, client).get(30, TimeUnit.SECONDS);
    }
}
