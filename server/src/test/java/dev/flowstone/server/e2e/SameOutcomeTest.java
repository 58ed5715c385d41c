package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.ScenarioEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The same random definitions on one thread in virtual time and in memory, and on threads, in real time and on PostgreSQL:
 * every node fares the same.
 */
@ExtendWith(SharedHouse.class)
final class SameOutcomeTest {
    private static final int GRAPHS = 30;

    @Test
    void randomGraphsFareTheSameInMemoryAndOnPostgres(House house) throws Exception {
        long seed = Long.getLong("flowstone.seed", System.nanoTime());
        Random random = new Random(seed);
        List<String> definitions = new ArrayList<>();
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < GRAPHS; i++) {
            definitions.add(RandomDag.definition("random-" + i, random));
            house.publish(definitions.get(i));
            runs.add(house.start("random-" + i, "{\"trigger\": {\"n\": " + i % 10 + "}}"));
        }
        Map<RunStatus, Integer> ends = new TreeMap<>();
        for (int i = 0; i < GRAPHS; i++) {
            String message = "seed " + seed + ", graph " + i + ": " + definitions.get(i);
            RunRow row = house.await(runs.get(i));
            ScenarioEngine.Ended inMemory = scenario(house, row, i % 10, seed);

            assertEquals(inMemory.status(), row.status(), message);
            compare(inMemory.history(), house.history(row), row.status() == RunStatus.SUCCEEDED, message);
            assertTrue(house.verifier().run(row.key()).whole(), message);
            ends.merge(row.status(), 1, Integer::sum);
        }
        assertTrue(
                ends.getOrDefault(RunStatus.SUCCEEDED, 0) >= 3 && ends.getOrDefault(RunStatus.FAILED, 0) >= 3,
                () -> "seed " + seed + " tests too little: " + ends);
    }

    private static ScenarioEngine.Ended scenario(House house, RunRow row, int n, long seed) throws Exception {
        Program program = house.flowstone()
                .programs()
                .program(House.TENANT, row.program())
                .program();
        JsonValue trigger = JsonObject.builder().put("n", JsonNumber.of(n)).build();
        return new ScenarioEngine(new ScriptExpressions(), BuiltInActions.registry(), seed)
                .run(program, Map.of("trigger", trigger, "spec", JsonObject.EMPTY));
    }

    /** In a run that fails, how far the others had got is a matter of timing; what has an end in both has the same one. */
    private static void compare(History expected, History actual, boolean whole, String message) {
        Map<ActivationId, Fate> left = fates(expected);
        Map<ActivationId, Fate> right = fates(actual);
        if (whole) {
            assertEquals(left, right, message);
            assertEquals(output(expected), output(actual), message);
            return;
        }
        left.values().removeIf(fate -> !fate.settled);
        right.values().removeIf(fate -> !fate.settled);
        left.keySet().retainAll(right.keySet());
        right.keySet().retainAll(left.keySet());
        assertEquals(left, right, message);
    }

    /** The run's output; a wait gives times, which differ. */
    private static String output(History history) {
        return history.all(EventBody.RunCompleted.class).toString().replaceAll("20[0-9]{2}-[0-9T:.-]+Z", "a time");
    }

    /** What happened to one activation, without times and chance. */
    private static final class Fate {
        private final List<Object> story = new ArrayList<>();
        private boolean settled;

        void add(EventBody body) {
            switch (body) {
                case EventBody.TaskScheduled it -> story.add(List.of("scheduled", it.attempt(), it.input()));
                case EventBody.TaskCompleted it -> story.add(List.of("completed", it.attempt(), it.output()));
                case EventBody.TaskFailed it ->
                    story.add(List.of("failed", it.attempt(), it.failure(), it.error(), it.settles()));
                case EventBody.Transitioned it -> {
                    // A transition that the run's end cut short says nothing.
                    settled = !it.taken().isEmpty() || !it.conditions().isEmpty();
                    story.add(List.of(
                            it.outcome(),
                            it.taken(),
                            it.conditions().stream()
                                    .map(SameOutcomeTest::outcome)
                                    .toList()));
                }
                default -> story.add(body.kind());
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Fate fate && story.equals(fate.story);
        }

        @Override
        public int hashCode() {
            return story.hashCode();
        }

        @Override
        public String toString() {
            return story.toString();
        }
    }

    private static String outcome(EvaluatedCondition condition) {
        return condition.edge() + " " + condition.result() + " " + condition.error();
    }

    private static Map<ActivationId, Fate> fates(History history) {
        Map<ActivationId, Fate> fates = new TreeMap<>();
        for (Event event : history.events()) {
            activation(event.body())
                    .ifPresent(id -> fates.computeIfAbsent(id, _ -> new Fate()).add(event.body()));
        }
        return fates;
    }

    private static Optional<ActivationId> activation(EventBody body) {
        return switch (body) {
            case EventBody.ActivationOpened it -> Optional.of(it.activation());
            case EventBody.TaskScheduled it -> Optional.of(it.activation());
            case EventBody.TaskCompleted it -> Optional.of(it.activation());
            case EventBody.TaskFailed it -> Optional.of(it.activation());
            case EventBody.ActivationSkipped it -> Optional.of(it.activation());
            case EventBody.Transitioned it -> Optional.of(it.activation());
            case EventBody.TimerSet it -> it.activation();
            default -> Optional.empty();
        };
    }
}
