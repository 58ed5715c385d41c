package dev.flowstone.server.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.execution.Logs;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Scope;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stream of one execution, over a log that the test writes and a feed that it moves. */
final class ExecutionReaderTest {
    private static final RunId RUN = Logs.run(1);
    private static final RunId OTHER = Logs.run(2);
    private static final Pattern ID = Pattern.compile("id: (\\S+)\n");

    private final Logs logs = new Logs();
    private final Commits commits = new Commits();
    private final EventStreams streams = new EventStreams(
            ports(), Duration.ofMinutes(5), Duration.ofMinutes(1), new Places(5, 5), InstantSource.system());

    @AfterEach
    void close() {
        streams.close();
    }

    private Ports ports() {
        Ports ports = new InMemoryDatabase(Clock.SYSTEM, 1).ports();
        return new Ports(
                ports.journal(),
                ports.leases(),
                ports.outbox(),
                ports.inbox(),
                logs,
                ports.humanTasks(),
                commits,
                ports.workflows(),
                ports.clock(),
                ports.subjects(),
                ports.transactions(),
                ports.settings(),
                ports.policies());
    }

    /** A feed of one stream, whose rows the test adds; tells when somebody has looked at its end. */
    private static final class Commits implements Feed {
        final List<RunKey> moved = new CopyOnWriteArrayList<>();
        final Semaphore looks = new Semaphore(0);

        void add(RunId run) {
            moved.add(new RunKey(Logs.TENANT, run));
        }

        /** Waits until a look that began after now is over, and another one has begun. */
        void seen() throws InterruptedException {
            looks.drainPermits();
            assertTrue(looks.tryAcquire(3, 30, TimeUnit.SECONDS), "nobody looks at the feed");
        }

        @Override
        public List<FeedRow> read(int stream, long after, int limit) {
            List<RunKey> all = List.copyOf(moved);
            return LongStream.rangeClosed(after + 1, Math.min(all.size(), after + limit))
                    .mapToObj(number ->
                            new FeedRow(stream, number, List.of(new Moved(all.get((int) number - 1), 1, 1))))
                    .toList();
        }

        @Override
        public Map<Integer, Long> last(Collection<Integer> of) {
            Map<Integer, Long> last = new HashMap<>();
            of.forEach(stream -> last.put(stream, (long) moved.size()));
            looks.release();
            return last;
        }

        @Override
        public Map<Integer, Long> first(Collection<Integer> of) {
            throw new UnsupportedOperationException("an execution's stream begins in its log");
        }
    }

    private static final class Heard extends OutputStream {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int b) {
            taken.write(b);
            notifyAll();
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            taken.write(bytes, from, length);
            notifyAll();
        }

        synchronized String text() {
            return taken.toString(StandardCharsets.UTF_8);
        }

        synchronized void until(String part) throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!text().contains(part)) {
                assertTrue(System.nanoTime() < end, () -> part + " is never heard: " + text());
                TimeUnit.SECONDS.timedWait(this, 1);
            }
        }

        List<String> ids() {
            return ID.matcher(text()).results().map(it -> it.group(1)).toList();
        }
    }

    private CompletableFuture<Heard> read(long from, Heard heard) {
        Caller caller = new Caller(
                Caller.Standing.TENANT,
                Logs.TENANT,
                new Actor("user", "ann"),
                Set.of(),
                Set.of(Scope.EXECUTIONS_READ),
                Caller.Profile.NONE,
                Optional.empty());
        CompletableFuture<Heard> ended = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                streams.open(caller, RUN, from).writeTo(heard);
                ended.complete(heard);
            } catch (IOException | RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
        return ended;
    }

    private Heard all(long from) throws Exception {
        return read(from, new Heard()).get(30, TimeUnit.SECONDS);
    }

    private void events(int many) {
        for (int i = 0; i < many; i++) {
            logs.add(RUN, Logs.other());
        }
    }

    @Test
    void pagesFollowEachOther() throws Exception {
        events(250);
        logs.end(RUN, RunStatus.SUCCEEDED);

        Heard heard = all(1);

        assertEquals(IntStream.rangeClosed(1, 250).mapToObj(Integer::toString).toList(), heard.ids());
        assertTrue(heard.text().endsWith("event: end\ndata: {\"status\":\"Succeeded\"}\n\n"), heard::text);
    }

    /** The damage stands, so nobody is asked to come back for it. */
    @Test
    void whatIsDamagedIsToldBehindWhatIsNotAndEndsIt() throws Exception {
        events(7);
        logs.damage(RUN, 5);

        Heard heard = all(2);

        assertEquals(List.of("2", "3", "4", "5.damaged"), heard.ids());
        assertTrue(
                heard.text()
                        .matches("(?s).*id: 5\\.damaged\nevent: damaged\ndata: \\{\"error\":[^\n]*\"event\":\"" + RUN
                                + "/5\"}\n\nevent: end\ndata: \\{}\n\n"),
                heard::text);
        assertEquals(Optional.of(new StreamPlace(5, true)), StreamPlace.parse("5.damaged"));
        assertTrue(!streams.isReadable(Logs.TENANT, RUN, 5) && streams.isReadable(Logs.TENANT, RUN, 4));
    }

    @Test
    void itEndsWhenItsExecutionLeavesMeanwhile() throws Exception {
        events(2);
        Heard heard = new Heard();
        CompletableFuture<Heard> reading = read(1, heard);
        heard.until("id: 2\n");

        logs.remove(RUN);
        commits.add(RUN);

        reading.get(30, TimeUnit.SECONDS);
        assertTrue(heard.text().endsWith("event: end\ndata: {}\n\n"), heard::text);
    }

    /** Its own commit wakes it long before it would look by itself; others' don't, however many they are. */
    @Test
    void onlyItsOwnCommitsHaveItLook() throws Exception {
        events(1);
        Heard heard = new Heard();
        CompletableFuture<Heard> reading = read(1, heard);
        heard.until("id: 1\n");
        commits.seen();
        long before = logs.looks();

        for (int i = 0; i < 20; i++) {
            commits.add(OTHER);
            commits.seen();
        }
        // One may be due to the tail's first look, which doesn't know yet whose commits there were.
        assertTrue(logs.looks() <= before + 2, () -> logs.looks() + " looks, " + before + " before");
        events(1);
        logs.end(RUN, RunStatus.FAILED);
        commits.add(RUN);

        reading.get(30, TimeUnit.SECONDS);
        assertEquals(List.of("1", "2"), heard.ids());
        assertTrue(heard.text().endsWith("{\"status\":\"Failed\"}\n\n"), heard::text);
    }
}
