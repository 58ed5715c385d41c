package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * cases.md 7: two hundred workers complete tasks of one run at the same time, over HTTP, on the real database. Of different tasks
 * all succeed; who completes one that is done is told so, and changes nothing.
 */
@ExtendWith(SharedHouse.class)
final class ParallelCompletionTest {
    private static final int CALLERS = 200;
    private static final long PATIENCE = 120_000_000_000L;

    /** So many tasks beside each other, which wait for workers in other processes; there are none here but the callers. */
    private static RunId waiting(House house, String workflow, int tasks) throws Exception {
        ProgramBuilder builder = ProgramBuilder.dag(workflow);
        for (int i = 0; i < tasks; i++) {
            builder.task(task(i), "remote.parallel").edge("start", task(i));
        }
        Program program = builder.build();
        Published.in(
                house.flowstone().ports().workflows(),
                House.TENANT,
                program,
                house.flowstone().ports().clock().now());
        RunId run = house.start(program.workflow().value(), "{}");
        long end = System.nanoTime() + PATIENCE;
        while (house.history(row(house, run)).count(EventBody.TaskScheduled.class) < tasks) {
            assertTrue(System.nanoTime() < end, "not everything is handed out");
        }
        return run;
    }

    private static String task(int number) {
        return "t" + number;
    }

    private static RunRow row(House house, RunId run) throws Exception {
        return house.flowstone().ports().runs().run(House.TENANT, run).orElseThrow();
    }

    /** Everybody completes at once: caller by caller the task's number, and the caller's own as its output if so wished. */
    private static List<Answer> completeAtOnce(House house, RunId run, List<Integer> tasks, boolean differ)
            throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(tasks.size());
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int caller = 0; caller < tasks.size(); caller++) {
            int task = tasks.get(caller);
            int output = differ ? caller : task;
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            answers.add(answer);
            Thread.ofVirtual().start(() -> {
                try {
                    barrier.await();
                    answer.complete(house.post(
                            "/executions/" + run + "/tasks/" + task(task) + "%231/complete",
                            "{\"attempt\": 1, \"output\": {\"n\": " + output + "}}"));
                } catch (Exception e) {
                    answer.completeExceptionally(e);
                }
            });
        }
        List<Answer> told = new ArrayList<>();
        for (CompletableFuture<Answer> answer : answers) {
            told.add(answer.get());
        }
        return told;
    }

    /** What each task answered, by its name, as the run's events have it; each once. */
    private static Map<String, Integer> outputs(House house, RunRow row) {
        Map<String, Integer> outputs = new HashMap<>();
        for (EventBody.TaskCompleted done : house.history(row).all(EventBody.TaskCompleted.class)) {
            JsonObject output = (JsonObject) ((Payload.Inline) done.output()).value();
            int number =
                    ((JsonNumber) output.find("n").orElseThrow()).decimalValue().intValueExact();
            assertEquals(null, outputs.put(done.activation().node().value(), number), "completed once");
        }
        return outputs;
    }

    private static Map<String, Long> counted(List<Answer> answers) {
        Map<String, Long> counts = new TreeMap<>();
        for (Answer answer : answers) {
            String told = answer.status() == 200
                    ? answer.text().contains("TaskCompleted") ? "done" : "was done already"
                    : answer.status() + " " + answer.text("code");
            counts.merge(told, 1L, Long::sum);
        }
        return counts;
    }

    @Test
    void twoHundredDifferentTasksOfOneRunAreAllCompleted(House house) throws Exception {
        List<Integer> tasks = IntStream.range(0, CALLERS).boxed().toList();
        RunId run = waiting(house, "two-hundred", CALLERS);

        List<Answer> answers = completeAtOnce(house, run, tasks, false);

        assertEquals(Map.of("done", (long) CALLERS), counted(answers));
        RunRow row = house.await(run);
        assertEquals(RunStatus.SUCCEEDED, row.status());
        Map<String, Integer> outputs = outputs(house, row);
        assertEquals(CALLERS, outputs.size());
        tasks.forEach(task -> assertEquals(task, outputs.get(task(task))));
        assertTrue(house.verifier().run(row.key()).whole());
    }

    @Test
    void ofTwoWhoCompleteTheSameTaskAtOnceWithTheSameOutputOneIsToldThatItWasDone(House house) throws Exception {
        int pairs = CALLERS / 2;
        RunId run = waiting(house, "hundred-twice-the-same", pairs);
        List<Integer> tasks =
                IntStream.range(0, CALLERS).map(caller -> caller / 2).boxed().toList();

        List<Answer> answers = completeAtOnce(house, run, tasks, false);

        // Each pair is judged by itself: a task that was done twice must not make up for one that was done by nobody.
        for (int pair = 0; pair < pairs; pair++) {
            assertEquals(
                    Map.of("done", 1L, "was done already", 1L),
                    counted(answers.subList(2 * pair, 2 * pair + 2)),
                    task(pair));
        }
        RunRow row = house.await(run);
        assertEquals(RunStatus.SUCCEEDED, row.status());
        assertEquals(pairs, outputs(house, row).size());
        assertTrue(house.verifier().run(row.key()).whole());
    }

    @Test
    void ofTwoWhoCompleteTheSameTaskAtOnceWithDifferentOutputsOneWinsAndTheOtherIsACleanConflict(House house)
            throws Exception {
        int pairs = CALLERS / 2;
        RunId run = waiting(house, "hundred-twice-different", pairs);
        List<Integer> tasks =
                IntStream.range(0, CALLERS).map(caller -> caller / 2).boxed().toList();

        List<Answer> answers = completeAtOnce(house, run, tasks, true);

        RunRow row = house.await(run);
        Map<String, Integer> outputs = outputs(house, row);
        for (int pair = 0; pair < pairs; pair++) {
            assertEquals(
                    Map.of("409 CONFLICT", 1L, "done", 1L),
                    counted(answers.subList(2 * pair, 2 * pair + 2)),
                    task(pair));
            int winner = answers.get(2 * pair).status() == 200 ? 2 * pair : 2 * pair + 1;
            assertEquals(winner, outputs.get(task(pair)), "what is stored is the winner's");
        }
        assertEquals(RunStatus.SUCCEEDED, row.status());
        assertTrue(house.verifier().run(row.key()).whole());
    }
}
