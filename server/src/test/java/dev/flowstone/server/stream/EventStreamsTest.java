package dev.flowstone.server.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.execution.Logs;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Scope;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How readers come, stay and go; what they read is tested over HTTP. */
final class EventStreamsTest {
    private static final EventFilter FILTER =
            new EventFilter(new TenantId("acme"), Optional.empty(), Optional.empty(), Set.of());

    private static final RunId RUN = Logs.run(1);
    private static final Instant END = Instant.parse("2026-03-01T12:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(END.minusSeconds(60));
    private final Logs logs = new Logs().add(RUN, Logs.other());
    private final Ports ports = ports();
    private Of of = Of.ALL;

    /** What is read. */
    enum Of {
        /** The tenant's events. */
        ALL,
        /** Those of one execution that goes on. */
        EXECUTION
    }

    private Ports ports() {
        Ports all = new InMemoryDatabase(Clock.SYSTEM, 2).ports();
        return new Ports(
                all.journal(),
                all.leases(),
                all.outbox(),
                all.inbox(),
                logs,
                all.humanTasks(),
                all.feed(),
                all.workflows(),
                all.clock(),
                all.subjects(),
                all.transactions(),
                all.settings(),
                all.policies());
    }

    private static Caller caller(String name, Optional<Instant> until) {
        return new Caller(
                Caller.Standing.TENANT,
                new TenantId("acme"),
                new Actor("user", name),
                Set.of(),
                Set.of(Scope.EVENTS_READ),
                Caller.Profile.NONE,
                until);
    }

    private EventStreams streams(Duration heartbeat, Duration patience, Places places) {
        return new EventStreams(ports, heartbeat, patience, places, now::get);
    }

    private CompletableFuture<Optional<IOException>> read(EventStreams streams, OutputStream out) {
        return read(streams, caller("ann", Optional.empty()), out);
    }

    private CompletableFuture<Optional<IOException>> read(EventStreams streams, Caller caller, OutputStream out) {
        CompletableFuture<Optional<IOException>> ended = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                Reply.Outpour outpour = of == Of.ALL
                        ? streams.open(caller, FILTER, Optional.empty(), false)
                        : streams.open(caller, RUN, 1);
                outpour.writeTo(out);
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

    @ParameterizedTest
    @EnumSource
    void aQuietClientHearsHeartbeats(Of what) throws Exception {
        of = what;
        EventStreams streams = streams(Duration.ofMillis(1), Duration.ofMinutes(1), new Places(5, 5));
        Client client = new Client(4, false);
        CompletableFuture<Optional<IOException>> ended = read(streams, client);

        assertTrue(client.lines.await(30, TimeUnit.SECONDS));
        streams.close();

        assertEquals(Optional.empty(), ended.get(30, TimeUnit.SECONDS));
        String text = client.taken.toString(java.nio.charset.StandardCharsets.UTF_8);
        assertTrue(text.startsWith(of == Of.ALL ? "retry: 1000\n\nid: " : "retry: 1000\n\n: from 1\n\nid: 1\n"), text);
        assertTrue(text.contains(": still here\n\n"), text);
        assertTrue(text.endsWith(": the server stops\n\n"), text);
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatTakesNothingIsSentAway(Of what) throws Exception {
        of = what;
        EventStreams streams = streams(Duration.ofSeconds(1), Duration.ofMillis(1), new Places(5, 5));

        Optional<IOException> end = read(streams, new Client(1, true)).get(30, TimeUnit.SECONDS);

        assertEquals("closed by interrupt", end.orElseThrow().getMessage());
        streams.close();
    }

    @ParameterizedTest
    @EnumSource
    void nobodyIsLetInBeyondTheBoundOrAfterTheEnd(Of what) throws Exception {
        of = what;
        EventStreams streams = streams(Duration.ofSeconds(1), Duration.ofMinutes(1), new Places(1, 5));
        Client first = new Client(1, false);
        CompletableFuture<Optional<IOException>> reading = read(streams, first);
        assertTrue(first.lines.await(30, TimeUnit.SECONDS));
        assertFalse(streams.hasPlace(caller("bob", Optional.empty())));

        Client second = new Client(1, false);
        read(streams, second).get(30, TimeUnit.SECONDS);
        assertTrue(
                second.taken.toString(java.nio.charset.StandardCharsets.UTF_8).startsWith(": too many"));
        streams.close();
        reading.get(30, TimeUnit.SECONDS);
        Client late = new Client(1, false);
        assertEquals(Optional.empty(), endOf(streams, late));
    }

    @ParameterizedTest
    @EnumSource
    void itEndsWithItsToken(Of what) throws Exception {
        of = what;
        EventStreams streams = streams(Duration.ofMillis(1), Duration.ofMinutes(1), new Places(5, 5));
        Client client = new Client(4, false);
        CompletableFuture<Optional<IOException>> reading = read(streams, caller("ann", Optional.of(END)), client);
        assertTrue(client.lines.await(30, TimeUnit.SECONDS), "it is heard until then");

        now.set(END);

        assertEquals(Optional.empty(), reading.get(30, TimeUnit.SECONDS));
        String text = client.taken.toString(java.nio.charset.StandardCharsets.UTF_8);
        String place = of == Of.ALL ? "id: [A-Za-z0-9_-]+\n" : "";
        assertTrue(text.matches("(?s).*" + place + ": the token is no longer good[^\n]*\n\n"), text);
        streams.close();
    }

    @ParameterizedTest
    @EnumSource
    void aPrincipalTakesAFewPlacesAndGivesThemBack(Of what) throws Exception {
        of = what;
        EventStreams streams = streams(Duration.ofMillis(1), Duration.ofMinutes(1), new Places(9, 1));
        Client first = new Client(1, false);
        CompletableFuture<Optional<IOException>> reading = read(streams, caller("ann", Optional.of(END)), first);
        assertTrue(first.lines.await(30, TimeUnit.SECONDS));

        assertFalse(streams.hasPlace(caller("ann", Optional.empty())));
        assertTrue(streams.hasPlace(caller("bob", Optional.empty())));
        Client second = new Client(1, false);
        read(streams, second).get(30, TimeUnit.SECONDS);
        assertTrue(
                second.taken.toString(java.nio.charset.StandardCharsets.UTF_8).startsWith(": too many"));
        now.set(END);
        reading.get(30, TimeUnit.SECONDS);
        assertTrue(streams.hasPlace(caller("ann", Optional.empty())));
        streams.close();
    }

    private Optional<IOException> endOf(EventStreams streams, Client client)
            throws InterruptedException, ExecutionException, java.util.concurrent.TimeoutException {
        return read(streams, client).get(30, TimeUnit.SECONDS);
    }
}
