package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.MessageEvent.ResourceClaimed;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** People and outside workers who answer at once, on the real database. */
@ExtendWith(SharedHouse.class)
final class PeopleAndWorkersTest {
    private static RunId start(House house, Program program) throws Exception {
        Published.in(
                house.flowstone().ports().workflows(),
                House.TENANT,
                program,
                house.flowstone().ports().clock().now());
        return house.start(program.workflow().value(), "{}");
    }

    private static Program review(String workflow, Quorum quorum, String... parties) {
        List<JsonValue> all = new ArrayList<>();
        for (String party : parties) {
            all.add(new JsonString(party));
        }
        return ProgramBuilder.dag(workflow)
                .human("review", new JsonArray(all), quorum)
                .task("yes", "core.echo")
                .task("no", "core.echo")
                .edge("start", "review")
                .edge("review", "yes", new Outcome("approved"), Optional.empty())
                .edge("review", "no", new Outcome("rejected"), Optional.empty())
                .build();
    }

    private static void awaitTask(House house, RunId run) throws Exception {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!house.get("/executions/" + run + "/tasks").text().contains("review#1")) {
            assertTrue(System.nanoTime() < end, "nobody is asked");
        }
    }

    /** Everybody decides at once; answers their statuses and codes. */
    private static List<String> decideAtOnce(House house, RunId run, List<String> people, List<String> outcomes)
            throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(people.size());
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < people.size(); i++) {
            String person = people.get(i);
            String outcome = outcomes.get(i);
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            answers.add(answer);
            Thread.ofVirtual().start(() -> {
                try {
                    barrier.await();
                    answer.complete(house.post(
                            "/executions/" + run + "/tasks/review%231/decide",
                            "{\"outcome\": \"" + outcome + "\"}",
                            "Flowstone-Principal",
                            "user:" + person));
                } catch (Exception e) {
                    answer.completeExceptionally(e);
                }
            });
        }
        List<String> told = new ArrayList<>();
        for (CompletableFuture<Answer> answer : answers) {
            Answer got = answer.get();
            told.add(got.status() == 200 ? "200" : got.status() + " " + got.text("code"));
        }
        told.sort(null);
        return told;
    }

    @Test
    void ofTwoApprovalsAtOnceOneAdvancesTheRunAndTheOtherIsACleanConflict(House house) throws Exception {
        for (int i = 0; i < 10; i++) {
            RunId run = start(house, review("two-at-once", new Quorum.One(), "anna", "bob"));
            awaitTask(house, run);

            List<String> told = decideAtOnce(house, run, List.of("anna", "bob"), List.of("approved", "rejected"));

            assertEquals(List.of("200", "409 CONFLICT"), told);
            RunRow row = house.await(run);
            assertEquals(RunStatus.SUCCEEDED, row.status());
            assertEquals(1, house.history(row).count(HumanEvent.HumanDecided.class));
            assertEquals(1, house.history(row).count(HumanEvent.HumanTaskSettled.class));
            assertTrue(house.verifier().run(row.key()).whole());
        }
    }

    @Test
    void ofTheSameDecisionSentTwiceAtOnceOneCounts(House house) throws Exception {
        RunId run = start(house, review("decided-three-times-at-once", new Quorum.All(), "anna", "bob"));
        awaitTask(house, run);

        assertEquals(
                List.of("200", "200", "200"),
                decideAtOnce(house, run, List.of("anna", "anna", "bob"), List.of("approved", "approved", "approved")));

        RunRow row = house.await(run);
        assertEquals(2, house.history(row).count(HumanEvent.HumanDecided.class));
    }

    private static Program outside(String workflow) {
        return ProgramBuilder.dag(workflow)
                .task("work", "test.outside")
                .edge("start", "work")
                .build();
    }

    private static void awaitAttempt(House house, RunId run) throws Exception {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!house.get("/executions/" + run + "?include=events").text().contains("TaskScheduled")) {
            assertTrue(System.nanoTime() < end, "nothing was handed out");
        }
    }

    @Test
    void anOutsideWorkersLargeAnswerCountsAndTheHandlersLateOneIsLeftAside(House house) throws Exception {
        RunId run = start(house, outside("outside"));
        awaitAttempt(house, run);
        String path = "/executions/" + run + "/tasks/work%231/";
        String large = "{\"attempt\": 1, \"output\": {\"text\": \"" + SharedHouse.large(256 << 10) + "\"}}";

        Answer done = house.post(path + "complete", large).expect(200);
        Answer again = house.post(path + "complete", large).expect(200);

        assertTrue(done.text().contains("TaskCompleted"), done.text());
        assertTrue(again.text().contains("\"events\":[]"), again.text());
        assertEquals(
                "CONFLICT",
                house.post(path + "complete", "{\"attempt\": 1, \"output\": 5}")
                        .expect(409)
                        .text("code"));
        assertEquals(
                "CONFLICT",
                house.post(path + "fail", "{\"attempt\": 1, \"error\": {\"code\": \"X\", \"message\": \"m\"}}")
                        .expect(409)
                        .text("code"));
        assertEquals(
                "NOT_FOUND",
                house.post(path + "complete", "{\"attempt\": 2, \"output\": 5}")
                        .expect(404)
                        .text("code"));
        SharedHouse.OUTSIDE.release();
        RunRow row = house.await(run);
        assertEquals(RunStatus.SUCCEEDED, row.status());
        List<EventBody.TaskCompleted> completed = house.history(row).all(EventBody.TaskCompleted.class);
        assertEquals(1, completed.size());
        assertTrue(completed.getFirst().output() instanceof Payload.Stored);
    }

    @Test
    void anOutsideWorkerLinksWhatItMakesOnceAndOthersFindIt(House house) throws Exception {
        RunId run = start(house, outside("linking"));
        awaitAttempt(house, run);
        String path = "/executions/" + run + "/tasks/work%231/";
        String look = "/links?type=Order&key=o%2F1";
        String link = "{\"attempt\": 1, \"links\": [{\"type\": \"Order\", \"key\": \"o/1\", \"content\": {\"n\": 1}}]}";
        assertEquals("NOT_FOUND", house.get(look).expect(404).text("code"));

        Answer claimed = house.post(path + "links", link).expect(200);
        Answer again = house.post(path + "links", link).expect(200);

        assertTrue(claimed.text().contains("[\"ResourceClaimed\"]"), claimed.text());
        assertTrue(again.text().contains("\"repeated\":true"), again.text());
        Answer underAKey =
                house.post(path + "links", link, "Idempotency-Key", "mine").expect(200);
        assertTrue(underAKey.text().contains("\"repeated\":true"), "what it says makes it the same: " + underAKey);
        Answer another = house.post(
                        path + "links", link, "Idempotency-Key", "mine", "Flowstone-Principal", "service:another")
                .expect(200);
        assertTrue(another.text().contains("[\"ResourceClaimed\"]"), "another worker's word: " + another);
        long end = System.nanoTime() + 60_000_000_000L;
        while (house.get(look).status() == 404) {
            assertTrue(System.nanoTime() < end, "the link never came to be");
        }
        Answer found = house.get(look).expect(200);
        assertEquals(run.toString(), found.text("executionId"));
        assertTrue(found.text().contains("\"content\":{\"n\":1}"), found.text());
        assertEquals(
                "CONFLICT",
                house.post(path + "links", link.replace("\"attempt\": 1", "\"attempt\": 2"))
                        .expect(409)
                        .text("code"));
        house.post(path + "links", "{\"attempt\": 1}").expect(400);
        house.post(path + "links", "{\"attempt\": 1, \"links\": [{\"type\": \"Order\"}]}")
                .expect(400);
        String large = link.replace("{\"n\": 1}", "\"" + "x".repeat(32 << 10) + "\"");
        for (String route : List.of("links", "complete")) {
            Answer tooLarge = house.post(path + route, large).expect(413);
            assertEquals("LIMIT_EXCEEDED", tooLarge.text("code"));
            assertTrue(tooLarge.text().contains("\"pointer\":\"/links/0/content\""), tooLarge.text());
        }
        house.post(path + "complete", link.replace("o/1", "o/2").replace("{\"attempt\"", "{\"output\": 1, \"attempt\""))
                .expect(200);
        assertEquals(
                "CONFLICT",
                house.post(path + "links", link.replace("o/1", "o/3"))
                        .expect(409)
                        .text("code"));
        SharedHouse.OUTSIDE.release();
        RunRow row = house.await(run);
        assertEquals(
                List.of("o/1", "o/1", "o/2"),
                house.history(row).all(ResourceClaimed.class).stream()
                        .map(ResourceClaimed::key)
                        .toList());
    }

    @Test
    void anOutsideWorkersFailureFailsTheTask(House house) throws Exception {
        RunId run = start(house, outside("outside-fails"));
        awaitAttempt(house, run);

        house.post(
                        "/executions/" + run + "/tasks/work%231/fail",
                        "{\"attempt\": 1, \"errorClass\": \"permanent\","
                                + " \"error\": {\"code\": \"NO_STOCK\", \"message\": \"nothing is left\"}}")
                .expect(200);

        SharedHouse.OUTSIDE.release();
        assertEquals(RunStatus.FAILED, house.await(run).status());
        assertTrue(house.get("/executions/" + run).text().contains("NO_STOCK"));
    }
}
