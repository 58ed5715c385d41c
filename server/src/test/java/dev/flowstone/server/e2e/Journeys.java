package dev.flowstone.server.e2e;

import static dev.flowstone.server.e2e.AnyNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Runs that wait for a person, a signal and a worker, one after the other, and are suspended; each leg at another node than the one before. */
final class Journeys {
    static final String DEFINITION = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "journey", "name": "J", "start": "ask", "states": {
              "ask": {"human": {"assignees": [{"user": "anna"}]},
                      "transitions": [{"on": "approve", "to": "hear"}, {"on": "reject", "to": "done"}]},
              "hear": {"wait": {"signal": "paid", "key": "{{ trigger.order }}"}, "next": "charge"},
              "charge": {"task": {"action": "orders.charge"}, "next": "done"},
              "done": {"end": {}}}}""";

    /** What workers do. */
    static final String ACTION = "orders.charge";

    private Journeys() {}

    private static String start(AnyNode node, String order) throws Exception {
        House.Answer answer = node.asked(
                "/workflows/journey/execute",
                "{\"requestId\": \"%1$s\", \"trigger\": {\"order\": \"%1$s\"}}".formatted(order),
                "Flowstone-Principal",
                "user:ann");
        assertTrue(answer.status() == 202 || answer.status() == 200, answer::toString);
        return answer.text("executionId");
    }

    private static void act(AnyNode node, String run, String act, String body, String who) throws Exception {
        node.asked("/executions/" + run + "/" + act, body, "Flowstone-Principal", who)
                .expect(200);
    }

    private static String status(AnyNode node, String run) throws Exception {
        return node.get("/executions/" + run).expect(200).text("status");
    }

    /** By its history: what holds a run is no status of it. */
    private static boolean isSuspended(AnyNode node, String run) throws Exception {
        String told =
                node.get("/executions/" + run + "?include=events").expect(200).text();
        return told.contains("RunSuspended") && !told.contains("RunResumed");
    }

    private static void pay(AnyNode node, String order) throws Exception {
        node.asked("/signals", "{\"type\": \"paid\", \"key\": \"" + order + "\"}")
                .expect(202);
    }

    /** From the beginning to where it waits for a worker; between the decision and the signal it is suspended. */
    private static void upToTheWorker(AnyNode one, AnyNode other, String run, String order) throws Exception {
        approved(other, run);
        act(one, run, "suspend", "{\"reason\": \"audit\"}", "user:ann");
        until("the other says so", () -> isSuspended(other, run));
        pay(one, order);
        act(other, run, "resume", "{\"reason\": \"over\"}", "user:ann");
    }

    private static void approved(AnyNode node, String run) throws Exception {
        until(
                "somebody is asked",
                () -> node.get("/executions/" + run + "/tasks")
                        .expect(200)
                        .text()
                        .contains("ask#1"));
        act(node, run, "tasks/ask%231/decide", "{\"outcome\": \"approve\"}", "user:anna");
    }

    private static List<JsonObject> tasks(House.Answer answer) {
        List<JsonObject> tasks = new ArrayList<>();
        if (answer.expect(200).object().get("tasks") instanceof JsonArray(List<JsonValue> all)) {
            all.forEach(task -> tasks.add((JsonObject) task));
        }
        return tasks;
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }

    /** Claims at the one node and answers at the other, until so many tasks were done. */
    private static void work(AnyNode one, AnyNode other, int tasks) throws Exception {
        List<String> done = new ArrayList<>();
        until("all is worked on", () -> {
            for (JsonObject task : tasks(one.asked(
                    "/tasks/claim",
                    "{\"worker\": \"w\", \"actions\": [\"" + ACTION + "\"], \"max\": " + (tasks - done.size())
                            + ", \"waitSeconds\": 1}"))) {
                String run = text(task, "executionId");
                String said =
                        "{\"tasks\": [{\"executionId\": \"%s\", \"activation\": \"%s\", \"attempt\": 1, \"output\": {\"paid\": 7}}]}"
                                .formatted(run, text(task, "activation"));
                until(
                        "it is heard",
                        () -> List.of("accepted", "unchanged")
                                .contains(text(
                                        tasks(other.asked("/tasks/complete", said))
                                                .getFirst(),
                                        "state")));
                done.add(run);
            }
            return done.size() >= tasks;
        });
        assertEquals(tasks, done.size(), done::toString);
    }

    /** So many of them over both nodes, begun at either; all come to a good end. */
    static void play(AnyNode one, AnyNode other, String prefix, int journeys) throws Exception {
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < journeys; i++) {
            AnyNode here = i % 2 == 0 ? one : other;
            AnyNode there = i % 2 == 0 ? other : one;
            String order = prefix + "-journey-" + i;
            String run = start(here, order);
            upToTheWorker(here, there, run, order);
            runs.add(run);
        }
        work(one, other, journeys / 2);
        work(other, one, journeys - journeys / 2);
        for (String run : runs) {
            until("it succeeds", () -> status(one, run).equals("Succeeded"));
            assertEquals("Succeeded", status(other, run));
        }
    }

    /** One that is suspended when its node goes. */
    static String suspended(AnyNode node, String order) throws Exception {
        String run = start(node, order);
        approved(node, run);
        act(node, run, "suspend", "{\"reason\": \"update\"}", "user:ann");
        pay(node, order);
        assertTrue(isSuspended(node, run));
        return run;
    }

    /** It goes on, at whichever node has it now. */
    static void resumed(AnyNode node, String run) throws Exception {
        act(node, run, "resume", "{\"reason\": \"back\"}", "user:ann");
        work(node, node, 1);
        until("it succeeds", () -> status(node, run).equals("Succeeded"));
    }
}
