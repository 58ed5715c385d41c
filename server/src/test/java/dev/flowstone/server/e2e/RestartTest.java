package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.testkit.scenario.History;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was promised before Flowstone was closed is kept when it opens again on the same data. */
final class RestartTest {
    private static final int CALLERS = 50;

    /** Opening a Flowstone on a busy machine takes a while; a timer that waits for some poll would be later than this. */
    private static final Duration SOON = Duration.ofSeconds(3);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String ECHO = """
            {"id": "ID", "displayName": "W", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.echo"}]}""";
    private static final String DELAY = """
            {"id": "ID", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.delay", "parameters": {"durationMs": MILLIS},
               "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.echo"}]}""";

    @TempDir
    Path data = Path.of("");

    @Test
    void requestIdsAndTimersSurviveARestart() throws Exception {
        String same;
        RunId soon;
        RunId due;
        try (House house = House.open(data)) {
            house.publish(ECHO.replace("ID", "one"));
            house.publish(ECHO.replace("ID", "two"));
            house.publish(delay("soon", 5_000));
            house.publish(delay("due", 300));
            same = fiftyCallersMeetInOneRun(house);
            soon = house.start("soon", "{}");
            due = house.start("due", "{}");
            timer(house, soon);
        }
        Instant opening = Instant.now();
        assertTrue(opening.isAfter(Instant.EPOCH));
        try (House house = House.open(data)) {
            assertEquals(same, start(house, "one", "the-same").expect(200).text("executionId"));
            assertEquals("WFENG001", start(house, "two", "the-same").expect(409).text("code"));

            firedOnceAndOnTime(house, soon, opening);
            firedOnceAndOnTime(house, due, opening);
            assertEquals(same, start(house, "one", "the-same").expect(200).text("executionId"));
            assertTrue(house.verifier().all().whole());
        }
    }

    /** The pause between two attempts outlives the process, and so does how many there were. */
    @Test
    void aRetryThatWaitsIsTheSecondAttemptAfterTheRestart() throws Exception {
        RunId run;
        try (House house = House.open(data)) {
            house.publish("""
                    {"id": "again", "displayName": "W", "startNode": "a", "nodes": [
                      {"id": "a", "actionType": "core.sometimes-fails", "parameters": {"failures": 1},
                       "policies": {"retry": {"maxAttempts": 2, "baseDelayMs": 4000, "jitter": false}}}]}""");
            run = house.start("again", "{}");
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!house.get("/executions/" + run + "?include=actions").text().contains("RetriableFailure")) {
                assertTrue(System.nanoTime() < end, "its first attempt never failed");
            }
        }
        try (House house = House.open(data)) {
            RunRow row = house.await(run);

            assertEquals(RunStatus.SUCCEEDED, row.status());
            assertEquals(
                    List.of(1, 2),
                    house.history(row).all(EventBody.TaskScheduled.class).stream()
                            .map(EventBody.TaskScheduled::attempt)
                            .toList());
        }
    }

    private static String fiftyCallersMeetInOneRun(House house) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Answer> answers = new ArrayList<>();
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<Future<Answer>> asked = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                asked.add(callers.submit(() -> {
                    go.await();
                    return start(house, "one", "the-same");
                }));
            }
            go.countDown();
            for (Future<Answer> answer : asked) {
                answers.add(answer.get());
            }
        }
        Set<String> runs = new HashSet<>();
        answers.forEach(answer -> runs.add(answer.text("executionId")));
        assertEquals(1, runs.size(), runs::toString);
        assertEquals(1, answers.stream().filter(it -> it.status() == 202).count());
        assertEquals(
                CALLERS - 1, answers.stream().filter(it -> it.status() == 200).count());
        String run = runs.iterator().next();
        Answer other = start(house, "two", "the-same").expect(409);
        assertEquals("WFENG001", other.text("code"));
        assertTrue(other.text("detail").contains(run), other.text());
        Answer list = house.get("/executions?workflowId=one").expect(200);
        assertEquals(1, list.text().split("\"executionId\"", -1).length - 1, list::text);
        return run;
    }

    private static Answer start(House house, String workflow, String requestId) throws Exception {
        return house.post("/workflows/" + workflow + "/execute", "{\"requestId\": \"" + requestId + "\"}");
    }

    /** The wait's timer, once it is set. */
    private static EventBody.TimerSet timer(House house, RunId run) throws Exception {
        RunRow row = house.flowstone().ports().runs().run(House.TENANT, run).orElseThrow();
        return wait(house.history(row))
                .orElseThrow(() -> new AssertionError("a run's first decision sets the timer of its first node"));
    }

    private static Optional<EventBody.TimerSet> wait(History history) {
        return history.all(EventBody.TimerSet.class).stream()
                .filter(it -> it.purpose() == TimerPurpose.WAIT)
                .findFirst();
    }

    private static void firedOnceAndOnTime(House house, RunId run, Instant opening) throws Exception {
        RunRow row = house.await(run);
        assertEquals(RunStatus.SUCCEEDED, row.status());
        History history = house.history(row);
        Instant due = wait(history).orElseThrow().dueAt();
        List<Event> fired = history.events().stream()
                .filter(it -> it.body() instanceof EventBody.TimerFired)
                .toList();
        assertEquals(1, fired.size(), history::toString);
        Instant at = fired.getFirst().header().eventTime();
        assertFalse(at.isBefore(due), () -> "fired at " + at + ", due at " + due);
        Instant expected = due.isAfter(opening) ? due : opening;
        assertTrue(at.isBefore(expected.plus(SOON)), () -> "fired at " + at + ", expected at " + expected);
    }

    private static String delay(String id, int millis) {
        return DELAY.replace("ID", id).replace("MILLIS", "" + millis);
    }
}
