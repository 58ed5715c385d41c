package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Runs in which a person decides, a timer goes off and a signal comes, while lists are read. */
final class PeopleStories {
    private static final Program PROGRAM = ProgramBuilder.dag("people")
            .human(
                    "review",
                    new JsonArray(List.of(new JsonString("anna"))),
                    new Quorum.One(),
                    new Reminder("late", new JsonString("PT1H"), new Reminder.Action.Remind()))
            .timer("pause", Duration.ofMillis(50))
            .await("paid", "paid", "order")
            .edge("start", "review")
            .edge("review", "pause", new Outcome("approved"), Optional.empty())
            .edge("pause", "paid")
            .build();

    private PeopleStories() {}

    /** So many of them, eight at a time; all come to a good end, and every chain is whole. */
    static void play(House house, int stories) throws Exception {
        Published.in(
                house.flowstone().ports().workflows(),
                House.TENANT,
                PROGRAM,
                house.flowstone().ports().clock().now());
        try (var callers = Executors.newFixedThreadPool(8)) {
            List<Future<RunId>> told = IntStream.range(0, stories)
                    .mapToObj(i -> callers.submit(() -> decidedAndPaid(house, "p" + i)))
                    .toList();
            for (Future<RunId> story : told) {
                assertEquals(RunStatus.SUCCEEDED, house.await(story.get()).status());
            }
        }
        assertTrue(house.verifier().all().whole());
    }

    private static RunId decidedAndPaid(House house, String request) throws Exception {
        RunId run = house.start("people", "{\"requestId\": \"" + request + "\"}");
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!house.get("/executions/" + run + "/tasks").expect(200).text().contains("review#1")) {
            assertTrue(System.nanoTime() < end, "nobody is asked");
        }
        house.post(
                        "/executions/" + run + "/tasks/review%231/decide",
                        "{\"outcome\": \"approved\"}",
                        "Flowstone-Principal",
                        "user:anna")
                .expect(200);
        house.get("/executions?workflowId=people").expect(200);
        house.post("/signals", "{\"type\": \"paid\", \"key\": \"order\"}").expect(202);
        return run;
    }
}
