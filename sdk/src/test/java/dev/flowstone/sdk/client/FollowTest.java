package dev.flowstone.sdk.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.sdk.client.PaperApi.Asked;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Following an execution over connections that break, and waiting for its end. */
final class FollowTest {
    private final CountDownLatch holds = new CountDownLatch(1);
    private final PaperApi server;

    FollowTest() throws IOException {
        server = new PaperApi();
    }

    @AfterEach
    void close() {
        holds.countDown();
        server.close();
    }

    private static String event(long number) {
        return "id: %d\r\ndata: {\"run_id\": \"e-1\", \"sequence_number\": %d, \"kind\": \"K\",\ndata: \"event_time\": \"2026-11-27T23:05:00Z\"}\n\n"
                .formatted(number, number);
    }

    /** A stream of this, which ends then, or breaks if it isn't whole. */
    private void streams(String text, boolean whole) {
        server.says((_, exchange) -> {
            byte[] bytes = text.getBytes(UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, whole ? bytes.length : bytes.length + 1);
            exchange.getResponseBody().write(bytes);
        });
    }

    private List<Long> followed(FlowstoneClient client) {
        List<Long> numbers = new ArrayList<>();
        try (Following following = client.executions().follow("e-1", 1)) {
            following.forEachRemaining(event -> numbers.add(event.sequence()));
        }
        return numbers;
    }

    /** Of four events those from the wanted number on, two at most, and {@code behind} those. */
    private void streamsTwo(String behind, boolean whole) {
        server.says((asked, exchange) -> {
            long from = Long.parseLong(asked.path().substring(asked.path().indexOf('=') + 1));
            StringBuilder text = new StringBuilder(": from " + from + "\n\n");
            if (from > 1) {
                text.append(event(from - 1));
            }
            for (long number = from; number <= Math.min(4, from + 1); number++) {
                text.append(event(number));
            }
            byte[] bytes = text.append(behind).toString().getBytes(UTF_8);
            exchange.sendResponseHeaders(200, whole ? bytes.length : bytes.length + 1);
            exchange.getResponseBody().write(bytes);
        });
    }

    @Test
    void nothingIsMissedOrToldTwiceHoweverOftenItBreaks() {
        streamsTwo("", false);
        server.says(503, "");
        streams("", true);
        streamsTwo("event: mood\ndata: {}\n\nid: 4", true);
        streamsTwo("id: 5\ndata: {\"run_id\": \"cut", false);
        streamsTwo("", true);
        streams("event: end\ndata: {\"status\": \"Succeeded\"}\n\n", true);
        try (FlowstoneClient client = server.client().build()) {
            assertEquals(List.of(1L, 2L, 3L, 4L), followed(client));
            assertEquals("text/event-stream", server.asked().getFirst().header("Accept"));
            assertEquals(
                    "/api/v1/executions/e-1/stream?from=5",
                    server.asked().getLast().path());
        }
    }

    @Test
    void oneThatIsOverAndHasNoMoreIsOver() {
        server.says(204, "");
        try (FlowstoneClient client = server.client().build()) {
            assertEquals(List.of(), followed(client));
        }
    }

    @Test
    void whoFailsTooOftenInARowGivesUp() {
        streams("", true);
        try (FlowstoneClient client = server.client().build()) {
            UnreachableException lost = assertThrows(UnreachableException.class, () -> followed(client));
            assertEquals(4, lost.attempts());
            assertEquals(4, server.asked().size());
        }
    }

    @Test
    void whatStaysIsNotTriedAgain() {
        server.says(404, PaperApi.problem(404, "EXECUTION_NOT_FOUND", "permanent", ""));
        try (FlowstoneClient client = server.client().build()) {
            assertEquals(
                    "EXECUTION_NOT_FOUND",
                    assertThrows(RefusedException.class, () -> followed(client)).code());
            assertEquals(1, server.asked().size());
        }
    }

    @Test
    void gapsDamageAndRubbishAreSaid() {
        streams(event(2), true);
        streams("event: damaged\ndata: {\"event\": \"e-1/1\"}\n\nevent: end\ndata: {}\n\n", true);
        streams("data: rubbish\n\n", true);
        streams("data: {\"run_id\": 7}\n\n", true);
        try (FlowstoneClient client = server.client().build()) {
            for (String why : List.of("event 2 comes where 1 should", "can't read event 1", "rubbish", "/run_id")) {
                UnreadableAnswerException said = assertThrows(UnreadableAnswerException.class, () -> followed(client));
                assertTrue(said.getMessage().contains(why), said.getMessage());
            }
        }
    }

    @Test
    void aServerThatIsSilentInMidStreamCountsAsGone() {
        server.says((_, exchange) -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(event(1).getBytes(UTF_8));
            exchange.getResponseBody().flush();
            holds.await();
        });
        streams(event(2) + "event: end\ndata: {}\n\n", true);
        try (FlowstoneClient client = server.client().build()) {
            List<Long> numbers = new ArrayList<>();
            Follower follower = new Follower(
                    ((RestExecutions) client.executions()).caller(),
                    "/api/v1/x",
                    1,
                    Duration.ofMillis(300),
                    Duration.ofDays(1));
            follower.forEachRemaining(event -> numbers.add(event.sequence()));
            assertEquals(List.of(1L, 2L), numbers);
        }
    }

    /** Does it when the server has been asked so often, and then this thread has waited for a while. */
    private Thread onceItWaits(int asked, Thread who, Runnable does) {
        return Thread.ofVirtual().start(() -> {
            while (server.asked().size() < asked) {
                LockSupport.parkNanos(1_000_000);
            }
            for (int waits = 0; waits < 10; ) {
                LockSupport.parkNanos(10_000_000);
                waits = who.getState() == Thread.State.TIMED_WAITING ? waits + 1 : 0;
            }
            does.run();
        });
    }

    @Test
    @Timeout(30)
    void toCloseItEndsAnOpeningAndAPause() throws Exception {
        server.says((_, _) -> holds.await());
        server.says(503, "", "Retry-After", "50");
        try (FlowstoneClient client = server.client().build()) {
            for (int asked = 1; asked <= 2; asked++) {
                try (Following following = client.executions().follow("e-1", 1)) {
                    Thread closer = onceItWaits(asked, Thread.currentThread(), following::close);
                    assertFalse(following.hasNext());
                    closer.join();
                }
            }
            assertEquals(2, server.asked().size());
        }
    }

    @Test
    @Timeout(30)
    void toCloseTheClientEndsAFollowersPauseWithWhy() throws Exception {
        server.says(503, "", "Retry-After", "50");
        try (FlowstoneClient client = server.client().build();
                Following following = client.executions().follow("e-1", 1)) {
            Thread closer = onceItWaits(1, Thread.currentThread(), client::close);
            FlowstoneException thrown = assertThrows(RefusedException.class, following::hasNext);
            assertEquals(503, thrown.status());
            closer.join();
        }
    }

    @Test
    @Timeout(60)
    void aServerThatTakesConnectionsAndSaysNothingIsGivenUp() {
        server.says((_, exchange) -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            holds.await();
        });
        try (FlowstoneClient client = server.client().build()) {
            Follower follower = new Follower(
                    ((RestExecutions) client.executions()).caller(), "/x", 1, Duration.ofMillis(50), Duration.ZERO);
            FlowstoneException lost = assertThrows(UnreachableException.class, follower::hasNext);
            assertEquals(4, lost.attempts());
            assertSame(lost, assertThrows(UnreachableException.class, follower::hasNext), "and stays so");
        }
    }

    @Test
    void theEndHasAStatusAndAFailureHasNone() {
        streams(event(1) + "event: end\ndata: {\"status\": \"Failed\"}\n\n", true);
        server.says(204, "");
        streams("data: rubbish\n\n" + event(1), true);
        try (FlowstoneClient client = server.client().build()) {
            try (Following following = client.executions().follow("e-1", 1)) {
                assertTrue(following.hasNext());
                assertEquals(Optional.empty(), following.end());
                assertEquals(1, following.next().sequence());
                assertFalse(following.hasNext());
                assertEquals(Optional.of(ExecutionStatus.FAILED), following.end());
            }
            try (Following following = client.executions().follow("e-1", 7)) {
                assertFalse(following.hasNext());
                assertEquals(Optional.of(ExecutionStatus.UNKNOWN), following.end());
            }
            try (Following following = client.executions().follow("e-1", 1)) {
                FlowstoneException rubbish = assertThrows(UnreadableAnswerException.class, following::hasNext);
                assertSame(rubbish, assertThrows(UnreadableAnswerException.class, following::hasNext));
                assertEquals(Optional.empty(), following.end());
            }
        }
    }

    @Test
    void aWaitOutlastsOutagesAndUnknownEnds() {
        server.says(503, "")
                .says(503, "")
                .says(503, "")
                .says(503, "")
                .says(503, "")
                .says(503, "");
        server.says(200, """
                {"executionId": "e-1", "status": "Dissolved", "startTime": "2026-11-27T23:05:00Z",
                 "endTime": "2026-11-27T23:06:00Z", "lastSeq": 9}""");
        try (FlowstoneClient client = server.client().build()) {
            assertEquals(
                    Optional.of(ExecutionStatus.UNKNOWN),
                    client.executions()
                            .await("e-1", ChronoUnit.FOREVER.getDuration())
                            .map(Execution::status));
            assertEquals(7, server.asked().size());
        }
    }

    @Test
    void aWaitThatNeverHadAnAnswerSaysWhy() {
        server.says(503, "");
        try (FlowstoneClient client = server.client().build()) {
            assertThrows(RefusedException.class, () -> client.executions().await("e-1", Duration.ofMillis(100)));
        }
    }

    @Test
    @Timeout(30)
    void toCloseItEndsTheWait() throws Exception {
        server.says((_, exchange) -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(event(1).getBytes(UTF_8));
            exchange.getResponseBody().flush();
            holds.await();
        });
        try (FlowstoneClient client = server.client().build();
                Following following = client.executions().follow("e-1", 1)) {
            assertEquals(1, following.next().sequence());
            Thread closer = onceItWaits(1, Thread.currentThread(), following::close);
            assertFalse(following.hasNext());
            assertEquals(Optional.empty(), following.end());
            closer.join();
        }
    }

    @Test
    void theEndIsAwaitedWithoutReadingTheSameTwice() {
        String running = """
                {"executionId": "e-1", "status": "Running", "startTime": "2026-11-27T23:05:00Z", "lastSeq": 9}""";
        server.says(200, running, "ETag", "\"s9\"")
                .says(304, "")
                .says(200, running.replace("Running", "Failed"), "ETag", "\"s10\"");
        try (FlowstoneClient client = server.client().build()) {
            Optional<Execution> ended = client.executions().await("e-1", Duration.ofSeconds(30));

            assertEquals(Optional.of(ExecutionStatus.FAILED), ended.map(Execution::status));
            assertEquals(
                    List.of("", "\"s9\"", "\"s9\""),
                    server.asked().stream()
                            .map(it -> it.header("If-none-match"))
                            .toList());
        }
    }

    @Test
    void aBoundEndsTheWait() {
        server.says(200, """
                {"executionId": "e-1", "status": "Running", "startTime": "2026-11-27T23:05:00Z", "lastSeq": 9}""", "ETag", "\"s9\"");
        try (FlowstoneClient client = server.client().build()) {
            assertEquals(Optional.empty(), client.executions().await("e-1", Duration.ofMillis(120)));
            assertTrue(server.asked().stream().map(Asked::method).allMatch("GET"::equals));
        }
    }
}
