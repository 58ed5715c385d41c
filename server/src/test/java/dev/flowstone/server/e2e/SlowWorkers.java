package dev.flowstone.server.e2e;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/**
 * A worker that is silent for longer than its lease of a second, and lives; and one that is handed the same tasks as a rescuer.
 * Both have the effect, under the task's key, and both answer: one before the other, the other before the one, or at once.
 */
final class SlowWorkers {
    private static final String SLOW = "slow";
    private static final String RESCUER = "rescuer";

    private final String action;

    private final House ofTheSlow;
    private final House ofTheRescuer;

    /** What the receiver of the effects has, by key: the first to come; it drops repetitions. */
    private final Map<String, String> effects = new ConcurrentHashMap<>();

    private int repetitions;

    /** @param action which nobody else does */
    SlowWorkers(String action, House ofTheSlow, House ofTheRescuer) {
        this.action = action;
        this.ofTheSlow = ofTheSlow;
        this.ofTheRescuer = ofTheRescuer;
    }

    /** A task in somebody's hands. */
    private record Held(RunId run, String activation, int attempt, String key, String lease) {
        static Held of(JsonObject task) {
            return new Held(
                    RunId.parse(text(task, "executionId")),
                    text(task, "activation"),
                    ((JsonNumber) task.find("attempt").orElseThrow())
                            .decimalValue()
                            .intValueExact(),
                    text(task, "key"),
                    text(task, "lease"));
        }

        String named() {
            return "\"executionId\": \"%s\", \"activation\": \"%s\", \"attempt\": %d, \"lease\": \"%s\""
                    .formatted(run, activation, attempt, lease);
        }
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }

    private House node(String worker) {
        return worker.equals(SLOW) ? ofTheSlow : ofTheRescuer;
    }

    private List<JsonObject> asked(String worker, String route, String body) throws Exception {
        House.Answer answer = node(worker).post("/tasks/" + route, body).expect(200);
        List<JsonObject> told = new ArrayList<>();
        if (answer.object().get("tasks") instanceof JsonArray(List<JsonValue> tasks)) {
            tasks.forEach(task -> told.add((JsonObject) task));
        }
        return told;
    }

    /** Everybody's first or second attempt; what is another attempt is given back, which costs nothing. */
    private Map<RunId, Held> claim(String worker, int attempt, int tasks, int leaseSeconds) throws Exception {
        Map<RunId, Held> held = new HashMap<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (held.size() < tasks) {
            assertTrue(System.nanoTime() < end, () -> worker + " has only " + held);
            for (JsonObject task : asked(
                    worker,
                    "claim",
                    "{\"worker\": \"%s\", \"actions\": [\"%s\"], \"max\": 100, \"leaseSeconds\": %d, \"waitSeconds\": 1}"
                            .formatted(worker, action, leaseSeconds))) {
                Held one = Held.of(task);
                if (one.attempt() == attempt) {
                    held.put(one.run(), one);
                } else {
                    asked(worker, "return", "{\"tasks\": [{" + one.named() + "}]}");
                }
            }
        }
        return held;
    }

    private void effect(String worker, Held task) {
        if (effects.putIfAbsent(task.key(), worker) != null) {
            repetitions++;
        }
    }

    /** What is answered: that it counts, or the code of the refusal. */
    private String complete(String worker, Held task) throws Exception {
        JsonObject told = asked(
                        worker,
                        "complete",
                        "{\"tasks\": [{" + task.named() + ", \"output\": {\"by\": \"" + worker + "\"}}]}")
                .getFirst();
        return text(told, "state").equals("refused") ? text(told, "code") : text(told, "state");
    }

    private Map<String, String> atOnce(Held slow, Held rescued) throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        CompletableFuture<String> one = completed(both, SLOW, slow);
        CompletableFuture<String> other = completed(both, RESCUER, rescued);
        return Map.of(SLOW, one.get(), RESCUER, other.get());
    }

    private CompletableFuture<String> completed(CyclicBarrier start, String worker, Held task) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                start.await();
                answer.complete(complete(worker, task));
            } catch (Exception e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** The first is heard before the other speaks, in turn; every third time nobody knows who is. */
    private Map<String, String> answered(int round, Held slow, Held rescued) throws Exception {
        return switch (round % 3) {
            case 0 -> {
                String first = complete(SLOW, slow);
                assertEquals("accepted", first);
                yield Map.of(SLOW, first, RESCUER, complete(RESCUER, rescued));
            }
            case 1 -> {
                String first = complete(RESCUER, rescued);
                assertEquals("accepted", first);
                yield Map.of(RESCUER, first, SLOW, complete(SLOW, slow));
            }
            default -> atOnce(slow, rescued);
        };
    }

    /** Plays it with runs that each wait for one task of the action. */
    void play(List<RunId> runs) throws Exception {
        Map<RunId, Held> slow = claim(SLOW, 1, runs.size(), 1);
        Map<RunId, Held> rescued = claim(RESCUER, 2, runs.size(), 600);
        assertEquals(Set.copyOf(runs), slow.keySet());
        assertEquals(Set.copyOf(runs), rescued.keySet());

        for (int round = 0; round < runs.size(); round++) {
            RunId run = runs.get(round);
            Held one = requireNonNull(slow.get(run));
            Held other = requireNonNull(rescued.get(run));
            assertEquals(one.key(), other.key());
            assertEquals(
                    "gone",
                    text(
                            asked(SLOW, "heartbeat", "{\"tasks\": [{" + one.named() + "}]}")
                                    .getFirst(),
                            "state"));
            effect(RESCUER, other);
            effect(SLOW, one);

            Map<String, String> told = answered(round, one, other);

            assertEquals(Set.of("accepted", "CONFLICT"), Set.copyOf(told.values()), () -> run + ": " + told);
            String winner = "accepted".equals(told.get(SLOW)) ? SLOW : RESCUER;
            isDoneOnce(run, winner);
        }
        assertEquals(runs.size(), effects.size(), "one effect of each, under one key");
        assertEquals(runs.size(), repetitions);
    }

    private void isDoneOnce(RunId run, String winner) throws Exception {
        House house = node(SLOW);
        RunRow row = house.await(run);
        assertEquals(RunStatus.SUCCEEDED, row.status());
        List<EventBody.TaskCompleted> done = house.history(row).all(EventBody.TaskCompleted.class);
        assertEquals(1, done.size());
        assertEquals(
                "{\"by\":\"" + winner + "\"}",
                CanonicalJson.exactText(((Payload.Inline) done.getFirst().output()).value()));
    }
}
