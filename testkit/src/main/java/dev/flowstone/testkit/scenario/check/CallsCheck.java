package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.check.Observed.Call;
import dev.flowstone.testkit.scenario.program.Handlers;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code calls}: how often an action or {@code node:NAME} was called, every attempt counted, or with which inputs. Actions
 * that aren't named don't count.
 */
record CallsCheck(Map<String, Calls> expected) implements Check {
    /** What stands before a node's name. */
    private static final String NODE = "node:";

    CallsCheck {
        expected = Map.copyOf(expected);
    }

    /** Of one action or node. */
    sealed interface Calls {
        /** So many. */
        record Times(int times) implements Calls {}

        /** With these, or parts of them, in order. */
        record Inputs(List<JsonValue> inputs) implements Calls {
            public Inputs {
                inputs = List.copyOf(inputs);
            }
        }
    }

    static Optional<Check> read(Cursor value) {
        Map<String, Calls> expected = new LinkedHashMap<>();
        value.anyMembers().all().forEach((name, calls) -> {
            if (calls.value() instanceof JsonArray inputs) {
                expected.put(name, new Calls.Inputs(inputs.items()));
            } else {
                calls.count().ifPresent(times -> expected.put(name, new Calls.Times(times)));
            }
        });
        return Optional.of(new CallsCheck(expected));
    }

    @Override
    public List<String> differences(Observed run) {
        List<String> lines = new ArrayList<>();
        expected.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
            if (run.surroundings().programs().stream().noneMatch(it -> isKnown(entry.getKey(), it))) {
                lines.add(entry.getKey() + "  no node of the definition calls it");
                return;
            }
            List<Call> found = run.calls().stream()
                    .filter(call -> is(entry.getKey(), call))
                    .toList();
            switch (entry.getValue()) {
                case Calls.Times(int times) -> times(lines, entry.getKey(), times, found.size());
                case Calls.Inputs(List<JsonValue> inputs) -> inputs(lines, entry.getKey(), inputs, found);
            }
        });
        return lines;
    }

    /** A name that nothing has would never be called, which must not pass for what {@code 0} expects. */
    private static boolean isKnown(String name, Program program) {
        return name.startsWith(NODE)
                ? Handlers.callers(program).stream().anyMatch(node -> name.equals(NODE + node))
                : Handlers.of(program).stream().anyMatch(handler -> name.equals(handler.value()));
    }

    private static boolean is(String name, Call call) {
        return name.startsWith(NODE)
                ? call.node().equals(name.substring(NODE.length()))
                : call.handler().equals(name);
    }

    private static void times(List<String> lines, String name, int expected, int found) {
        if (expected != found) {
            lines.add(name + "  expected " + expected + ", was " + found);
        }
    }

    private static void inputs(List<String> lines, String name, List<JsonValue> expected, List<Call> found) {
        times(lines, name, expected.size(), found.size());
        for (int i = 0; i < Math.min(expected.size(), found.size()); i++) {
            for (String line : JsonDiff.subset(expected.get(i), found.get(i).input())) {
                lines.add(name + ", call " + (i + 1) + "  " + line);
            }
        }
    }
}
