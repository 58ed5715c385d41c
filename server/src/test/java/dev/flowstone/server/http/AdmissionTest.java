package dev.flowstone.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is too much is refused at the border, cheaply, and says when to come again; and nobody who is slow keeps out others. */
@Timeout(60)
final class AdmissionTest {
    private static final int MOST = 1 << 20;
    private static final int ROOM = 2 * MOST;
    private static final Headers JSON = new Headers(
            name -> name.equals("Content-Type") ? List.of("application/json") : List.of(),
            () -> List.of("Content-Type"));

    private final Room bodies = new Room(ROOM);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch within = new CountDownLatch(2);

    private Border border(Route... routes) {
        return border(Duration.ofMinutes(1), routes);
    }

    private Border border(Duration sending, Route... routes) {
        return border(sending, 2, routes);
    }

    private Border border(Duration sending, int calls, Route... routes) {
        return border(new Bounds(MOST, sending, bodies, new Room(1), new Room(calls)), routes);
    }

    private static Border border(Bounds bounds, Route... routes) {
        Caller caller = new Caller(
                Caller.Standing.OPERATOR,
                new TenantId("acme"),
                new Actor("user", "ann"),
                Set.of(),
                Set.of(Scope.values()));
        return new Border(new Routes(List.of(routes)), _ -> caller, new Hosts(), Watch.NONE, bounds);
    }

    private static Request post(String path, OptionalLong length, InputStream body) {
        return new Request("POST", path, "", JSON, length, new BodyStream(() -> body));
    }

    private static Request post(String path, byte[] body) {
        return post(path, OptionalLong.of(body.length), new ByteArrayInputStream(body));
    }

    private static CompletableFuture<Reply> answering(Border border, Request request) {
        return CompletableFuture.supplyAsync(() -> border.answer(request), Thread::startVirtualThread);
    }

    private static byte[] json(int bytes) {
        return ("{\"a\": \"" + "x".repeat(bytes - 9) + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    private static Route keep() {
        return Route.post("/keep", Scope.SIGNALS_WRITE, Set.of(), BodyRule.REQUIRED, _ -> Reply.nothing());
    }

    /** Sends so much, and then nothing until it is told to end. */
    private final class SlowBody extends InputStream {
        private final ByteArrayInputStream first;
        final CountDownLatch sent = new CountDownLatch(1);

        SlowBody(int bytes) {
            this.first = new ByteArrayInputStream(json(bytes));
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0];
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = first.read(into, offset, length);
            if (read < 0) {
                sent.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            return read;
        }
    }

    /** What is let in here as deep as it may be is let in there, too, with what a node has put around it. */
    @Test
    void whatAnotherNodeHasWrappedMayBeLongerAndDeeperByThat() {
        Route read = Route.post("/read", Scope.SIGNALS_WRITE, Set.of(), BodyRule.REQUIRED, call -> {
            JsonParser.Located _ = call.requiredBody().value();
            return Reply.nothing();
        });
        Bounds outside = new Bounds(MOST, Duration.ofMinutes(1), bodies, new Room(1), new Room(2));
        int depth = JsonLimits.DEFAULT.depth();
        String deepest = "[".repeat(depth) + "]".repeat(depth);
        byte[] wrapped = ("{\"trigger\": " + deepest + "}").getBytes(StandardCharsets.UTF_8);
        byte[] longer = json(MOST + 200);

        assertEquals(
                204,
                border(outside, read)
                        .answer(post("/read", deepest.getBytes(StandardCharsets.UTF_8)))
                        .status());
        assertEquals(400, border(outside, read).answer(post("/read", wrapped)).status());
        assertEquals(413, border(outside, read).answer(post("/read", longer)).status());
        assertEquals(
                204,
                border(outside.ofWrapped(), read).answer(post("/read", wrapped)).status());
        assertEquals(
                204,
                border(outside.ofWrapped(), read).answer(post("/read", longer)).status());
    }

    @Test
    void aSlowSenderHoldsAboutWhatItHasSentAndNotWhatItAnnounced() throws Exception {
        Border border = border(keep());
        SlowBody slow = new SlowBody(100_000);
        CompletableFuture<Reply> answer = answering(border, post("/keep", OptionalLong.of(MOST), slow));

        slow.sent.await();
        assertTrue(bodies.taken() <= 2 * 100_000, () -> "held: " + bodies.taken());
        goOn.countDown();
        assertEquals(204, answer.get().status());
        assertEquals(0, bodies.taken());
    }

    @Test
    void manySlowSendersOfLongBodiesKeepNoShortOneOut() throws Exception {
        Border border = border(keep());
        List<CompletableFuture<Reply>> slow = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            SlowBody body = new SlowBody(500_000);
            CompletableFuture<Reply> answer = answering(border, post("/keep", OptionalLong.of(500_000), body));
            CompletableFuture.anyOf(
                            answer, CompletableFuture.runAsync(() -> await(body.sent), Thread::startVirtualThread))
                    .get();
            slow.add(answer);
        }

        assertTrue(bodies.taken() <= ROOM);
        assertEquals(204, border.answer(post("/keep", json(BodyLease.FREE - 1))).status());
        Reply refused = border.answer(post("/keep", json(900_000)));
        assertShed(refused);
        assertTrue(refused.closes(), "its body was not read to the end");
        goOn.countDown();
        for (CompletableFuture<Reply> answer : slow) {
            answer.get();
        }
        assertEquals(0, bodies.taken(), "nothing is held by anybody who was answered");
        assertEquals(204, border.answer(post("/keep", json(900_000))).status());
    }

    @Test
    void aBodyOfAnyLengthArrivesWhole() {
        List<byte[]> seen = new ArrayList<>();
        Border border = border(Route.post("/keep", Scope.SIGNALS_WRITE, Set.of(), BodyRule.REQUIRED, call -> {
            seen.add(call.requiredBody().bytes());
            return Reply.nothing();
        }));
        List<Integer> sizes = List.of(
                10,
                BodyLease.FREE - 1,
                BodyLease.FREE,
                BodyLease.FREE + 1,
                2 * BodyLease.FREE,
                100_001,
                MOST - 1,
                MOST);

        for (int size : sizes) {
            assertEquals(204, border.answer(post("/keep", json(size))).status(), () -> size + " bytes");
        }
        assertEquals(sizes, seen.stream().map(bytes -> bytes.length).toList());
        assertEquals(413, border.answer(post("/keep", json(MOST + 1))).status());
        assertEquals(0, bodies.taken());
    }

    /** Else whoever needs no token fills the room for bodies where none is taken. */
    @Test
    void aBodyThatNobodyTakesIsRefusedAtItsFirstByte() {
        Border border = border(Route.get("/look", Scope.PUBLIC, Set.of(), _ -> Reply.nothing()));
        AtomicInteger read = new AtomicInteger();
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("not byte by byte");
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                read.addAndGet(length);
                assertTrue(read.get() <= 1, "more than a byte was read");
                return length;
            }
        };

        for (OptionalLong length : List.of(OptionalLong.empty(), OptionalLong.of(1), OptionalLong.of(5L * MOST))) {
            read.set(0);
            Reply refused = border.answer(new Request("GET", "/look", "", JSON, length, new BodyStream(() -> endless)));
            assertEquals(length.orElse(0) > MOST ? 413 : 400, refused.status(), length::toString);
            assertEquals(0, bodies.taken());
            assertTrue(length.isEmpty() || read.get() == 0, "what was announced needn't come");
        }
        assertEquals(
                204,
                border.answer(new Request("GET", "/look", "", JSON, OptionalLong.of(0), BodyStream.none()))
                        .status());
        assertEquals(
                204,
                border.answer(new Request(
                                "GET",
                                "/look",
                                "",
                                JSON,
                                OptionalLong.empty(),
                                new BodyStream(InputStream::nullInputStream)))
                        .status());
    }

    @Test
    void aCallThatFindsNoPlaceIsRefusedBeforeItsBodyIsRead() throws Exception {
        Border border = border(Route.post("/go", Scope.SIGNALS_WRITE, Set.of(), BodyRule.OPTIONAL, _ -> {
                    within.countDown();
                    await(goOn);
                    return Reply.nothing();
                })
                .waiting(Waits.CALL));
        List<CompletableFuture<Reply>> two = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            two.add(answering(border, post("/go", new byte[0])));
        }
        within.await();
        InputStream untouched = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("the body was read");
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                return read();
            }
        };

        Reply refused = border.answer(post("/go", OptionalLong.of(50), untouched));

        assertShed(refused);
        assertFalse(refused.closes(), "a short body is passed over, and the connection stays");
        goOn.countDown();
        for (CompletableFuture<Reply> answer : two) {
            assertEquals(204, answer.get().status());
        }
        assertEquals(204, border.answer(post("/go", new byte[0])).status(), "and then there is room at once");
    }

    @Test
    void whoSendsSlowlyTakesNoPlaceOfThoseThatWait() throws Exception {
        Border border = border(keep().waiting(Waits.CALL));
        List<CompletableFuture<Reply>> slow = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            SlowBody body = new SlowBody(20);
            slow.add(answering(border, post("/keep", OptionalLong.of(20), body)));
            body.sent.await();
        }

        assertEquals(204, border.answer(post("/keep", json(20))).status());
        goOn.countDown();
        for (CompletableFuture<Reply> answer : slow) {
            answer.get();
        }
    }

    @Test
    void whoNeverSendsTheRestIsEndedAndHoldsNothing() {
        Border border = border(Duration.ofMillis(50), keep().waiting(Waits.CALL));

        for (int bytes : List.of(20, 100_000)) {
            Reply ended = border.answer(post("/keep", OptionalLong.of(MOST), new SlowBody(bytes)));

            assertEquals(400, ended.status());
            assertTrue(ended.closes());
            assertFalse(Thread.currentThread().isInterrupted(), "what comes next on this thread is not disturbed");
            assertEquals(0, bodies.taken());
        }
    }

    @Test
    void aFloodOfStartsTakesNoPlaceOfWhatPeopleDecide() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        Border border = border(
                Route.post("/start", Scope.WORKFLOWS_EXECUTE, Set.of(), BodyRule.OPTIONAL, _ -> {
                            started.countDown();
                            await(goOn);
                            return Reply.nothing();
                        })
                        .waiting(Waits.START),
                keep().waiting(Waits.CALL));
        CompletableFuture<Reply> first = answering(border, post("/start", new byte[0]));
        started.await();

        assertShed(border.answer(post("/start", new byte[0])));
        assertEquals(204, border.answer(post("/keep", json(20))).status());
        goOn.countDown();
        assertEquals(204, first.get().status());
    }

    @Test
    void callsOfNobodyInParticularStandInThePlaceOfWhomTheyAreFor() throws Exception {
        CountDownLatch sixteen = new CountDownLatch(16);
        Border border = border(
                Duration.ofMinutes(1),
                18,
                Route.post("/hooks/{tenant}", Scope.PUBLIC, Set.of(), BodyRule.OPTIONAL, _ -> {
                            sixteen.countDown();
                            await(goOn);
                            return Reply.nothing();
                        })
                        .waiting(Waits.CALL)
                        .inPlaceOf(variables -> Optional.of(new TenantId(variables.getOrDefault("tenant", "")))),
                keep().waiting(Waits.CALL));
        List<CompletableFuture<Reply>> theirs = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            theirs.add(answering(border, post("/hooks/globex", new byte[0])));
        }
        sixteen.await();

        assertShed(border.answer(post("/hooks/globex", new byte[0])));
        assertEquals(204, border.answer(post("/keep", json(20))).status(), "the caller's own tenant has its place");
        CompletableFuture<Reply> another = answering(border, post("/hooks/initech", new byte[0]));
        goOn.countDown();
        assertEquals(204, another.get().status());
        for (CompletableFuture<Reply> answer : theirs) {
            assertEquals(204, answer.get().status());
        }
    }

    private static void assertShed(Reply reply) {
        String body = new String(reply.body(), StandardCharsets.UTF_8);
        assertEquals(503, reply.status(), body);
        assertEquals("1", reply.headers().get("Retry-After"));
        assertTrue(body.contains("\"code\":\"BUSY\""), body);
        assertTrue(body.contains("\"category\":\"external_limit\""), body);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
