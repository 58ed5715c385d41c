package dev.flowstone.sdk.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;

/** Handlers of records, and methods that are marked as handlers. */
final class TypedWorkerTest extends PaperWorkerTest {
    TypedWorkerTest() throws IOException {}

    /** What is ordered. */
    record Line(String sku, int quantity) {
        Line {
            if (quantity < 0) {
                throw new IllegalArgumentException("a quantity is not negative");
            }
        }
    }

    /** What handlers are given. */
    record Order(String id, List<Line> lines) {}

    /** What they answer. */
    record Shipped(String order, int parcels) {}

    /** Has the worker do a task with each input, and tells what it has said of them. */
    private List<JsonNode> done(Worker.Builder builder, String action, String... inputs) {
        try (Worker worker = builder.start()) {
            for (int i = 0; i < inputs.length; i++) {
                int told = i + 1;
                server.tasks.add(PaperServer.task(action, i, inputs[i]));
                until("it is heard", () -> worker.counts().heard() == told);
            }
            return server.said("complete");
        }
    }

    private static void fails(String code, String errorClass, String message, JsonNode said) {
        assertEquals(code, said.at("/error/code").asString());
        assertEquals(errorClass, said.path("errorClass").asString());
        assertTrue(said.at("/error/message").asString().contains(message), said::toString);
    }

    private static String order(String quantity) {
        return "{\"id\": \"o-1\", \"newer\": true, \"lines\": [{\"sku\": \"a\", \"quantity\": 1}, {\"sku\": \"b\", \"quantity\": %s}]}"
                .formatted(quantity);
    }

    @Test
    void inputsAndOutputsAreRecordsAndWhatIsNoneNamesItsPlace() {
        List<JsonNode> said = done(
                Worker.of(config())
                        .handle(
                                "ship",
                                Order.class,
                                order -> new Shipped(order.id(), order.lines().size()))
                        .handle("lines", new TypeReference<List<Line>>() {}, (lines, task) -> lines.size()),
                "ship",
                order("2"),
                order("\"many\""),
                order("-1"),
                "null",
                "[]");

        assertEquals(
                "{\"order\":\"o-1\",\"parcels\":2}", said.get(0).path("output").toString());
        fails("INPUT_MISMATCH", "permanent", "at '/lines/1/quantity'", said.get(1));
        fails("INPUT_MISMATCH", "permanent", "a quantity is not negative", said.get(2));
        fails("INPUT_MISMATCH", "permanent", "it is null", said.get(3));
        fails("INPUT_MISMATCH", "permanent", "the input is no ", said.get(4));
    }

    /** Marked methods that others inherit. */
    static class Inherited {
        @Action("inherited")
        String inherited() {
            return "inherited";
        }

        @Action("overridden")
        String overridden() {
            return "above";
        }
    }

    /** Marked methods of all kinds. */
    static final class Marked extends Inherited {
        @Action("whole")
        Shipped whole(Task task, Order order) {
            return new Shipped(order.id(), task.attempt());
        }

        @Action("members")
        String members(@Input("id") String id, @Input("count") int count, @Input("note") Optional<String> note) {
            return id + count + note.orElse("-");
        }

        @Action("nothing")
        void nothing(JsonNode input) throws TaskFailure, TaskSkipped {
            switch (input.asString()) {
                case "deny" -> throw TaskFailure.policyDenied("NOT_YOU", "no");
                case "skip" -> throw new TaskSkipped("nothing to do");
                case "err" -> throw new StackOverflowError("deep");
                default -> {
                    // Its output is null.
                }
            }
        }

        @Override
        @Action("overridden")
        String overridden() {
            return "below";
        }
    }

    @Test
    void markedMethodsGetWhatTheyAskFor() {
        Worker.Builder worker = Worker.of(config()).handleAll(new Marked());
        assertEquals("{\"order\":\"o-1\",\"parcels\":1}", output(worker, "whole", order("2")));
        assertEquals("\"a7-\"", output(worker, "members", "{\"id\": \"a\", \"count\": 7}"));
        assertEquals("\"inherited\"", output(worker, "inherited", "{}"));
        assertEquals("\"below\"", output(worker, "overridden", "{}"));
        assertEquals("null", output(worker, "nothing", "1"));
    }

    private String output(Worker.Builder worker, String action, String input) {
        return done(worker, action, input).getLast().path("output").toString();
    }

    @Test
    void whatMarkedMethodsThrowOrAreNotGivenFailsTheTask() {
        Worker.Builder worker = Worker.of(config()).handleAll(new Marked());
        List<JsonNode> members = done(
                worker,
                "members",
                "{\"id\": \"a\"}",
                "{\"id\": \"a\", \"count\": \"x\"}",
                "{\"id\": \"a\", \"count\": 7, \"note\": [1]}",
                "7");
        fails("INPUT_MISMATCH", "permanent", "the input's 'count' is no int: it is null, or not there", members.get(0));
        fails("INPUT_MISMATCH", "permanent", "the input's 'count' is no int", members.get(1));
        fails("INPUT_MISMATCH", "permanent", "the input's 'note'", members.get(2));
        fails("INPUT_MISMATCH", "permanent", "the input's 'id'", members.get(3));
        List<JsonNode> thrown = done(worker, "nothing", "\"deny\"", "\"skip\"", "\"err\"");
        fails("NOT_YOU", "policy_denied", "no", thrown.get(4));
        assertEquals("nothing to do", thrown.get(5).path("skipped").asString());
        fails("HANDLER_THREW", "retryable", "deep", thrown.get(6));
    }

    /** The input twice. */
    static final class Twice {
        @Action("twice")
        String twice(Order order, @Input("id") String id) {
            return order.id() + id;
        }
    }

    @Test
    void refusesObjectsThatCannotBeBound() {
        Worker.Builder worker = Worker.of(config());
        IllegalArgumentException none = assertThrows(IllegalArgumentException.class, () -> worker.handleAll("a text"));
        assertTrue(none.toString().contains("java.lang.String is marked with @Action"), none::toString);
        IllegalArgumentException twice =
                assertThrows(IllegalArgumentException.class, () -> worker.handleAll(new Twice()));
        assertTrue(twice.toString().contains("takes the input in two ways"), twice::toString);
        assertThrows(
                IllegalArgumentException.class,
                () -> worker.handleAll(new Inherited()).handleAll(new Marked()),
                "two handlers for one action");
        assertThrows(IllegalArgumentException.class, () -> worker.handleJson(" ", (input, task) -> input));
    }

    @Test
    void whatHandlersDoIsCountedForEachAction() {
        try (Worker worker = Worker.of(config())
                .handle("b\"", Line.class, line -> line)
                .handleJson("a", (input, task) -> input)
                .start()) {
            server.tasks.add(PaperServer.task("b\\\"", 1, "{\"sku\": \"a\", \"quantity\": 1}") + ","
                    + PaperServer.task("b\\\"", 2, "{\"sku\": \"a\", \"quantity\": -1}") + ","
                    + PaperServer.task("other", 3, "1"));
            until("all are heard", () -> worker.counts().heard() == 3);

            List<ActionCounts> counts = worker.metrics().actions();
            assertEquals(
                    List.of("a", "b\""),
                    counts.stream().map(ActionCounts::action).toList());
            ActionCounts lines = counts.getLast();
            assertEquals(List.of(0L, 1L, 1L), List.of((long) lines.running(), lines.worked(), lines.failed()));
            assertTrue(lines.took().isPositive() && lines.longest().compareTo(lines.took()) <= 0);
            assertEquals(worker.counts(), worker.metrics().counts());
            String text = worker.metrics().prometheus();
            for (String line : List.of(
                    "# TYPE flowstone_worker_answers_heard_total counter\nflowstone_worker_answers_heard_total 3\n",
                    "flowstone_worker_handler_worked_total{action=\"a\"} 0\n",
                    "flowstone_worker_handler_failed_total{action=\"b\\\"\"} 1\n",
                    "flowstone_worker_handler_seconds_total{action=\"a\"} 0.000000000\n")) {
                assertTrue(text.contains(line), text);
            }
        }
    }
}
