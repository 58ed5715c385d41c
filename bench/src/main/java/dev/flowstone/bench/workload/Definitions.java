package dev.flowstone.bench.workload;

import dev.flowstone.bench.rig.Definition;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.dialect.states.StatesDialect;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The workflows that are measured. */
final class Definitions {
    static final int SEQUENCE_STEPS = 5;
    static final int BRANCHES = 10;

    /** Of a fan-out: the first, the branches, and the one that waits for all of them. */
    static final int FAN_OUT_STEPS = BRANCHES + 2;

    /** Nodes of a stage of {@link #staged}. */
    static final int STAGE = 10;

    static final String SIGNAL = "bench.go";
    private static final Set<String> ACTIONS = Set.of(NoOps.ACTION, NoOps.REMOTE_ACTION);

    private Definitions() {}

    /** Five no-op steps, one after another. */
    static Definition sequence() {
        return sequence("sequence", NoOps.ACTION);
    }

    /** The same, each step done by a worker in another process. */
    static Definition remote() {
        return sequence("remote", NoOps.REMOTE_ACTION);
    }

    private static Definition sequence(String id, String action) {
        String nodes = IntStream.rangeClosed(1, SEQUENCE_STEPS)
                .mapToObj(i -> i == SEQUENCE_STEPS
                        ? stepOf(action, "step-" + i)
                        : stepOf(action, "step-" + i, "step-" + (i + 1)))
                .collect(Collectors.joining(", "));
        return dag(id, "step-1", nodes);
    }

    /** One step, ten beside each other, one that joins them. */
    static Definition fanOut() {
        String[] branches =
                IntStream.rangeClosed(1, BRANCHES).mapToObj(i -> "branch-" + i).toArray(String[]::new);
        String middle = IntStream.rangeClosed(1, BRANCHES)
                .mapToObj(i -> step("branch-" + i, "last"))
                .collect(Collectors.joining(", "));
        return dag("fan-out", "first", step("first", branches) + ", " + middle + ", " + step("last"));
    }

    /** As many steps as there are nodes, one after another. */
    static Definition deep(int nodes) {
        return dag(
                "dag-deep",
                "n-1",
                IntStream.rangeClosed(1, nodes)
                        .mapToObj(i -> i == nodes ? step("n-" + i) : step("n-" + i, "n-" + (i + 1)))
                        .collect(Collectors.joining(", ")));
    }

    /** One step, one that waits for all others, and these beside each other. */
    static Definition wideGraph(int nodes) {
        return dag("dag-wide", "first", stage("first", nodes, "last", Optional.empty()));
    }

    /** Stages of ten nodes: one, eight beside each other, one that waits for them. */
    static Definition staged(String id, int stages) {
        return dag(
                id,
                "first-1",
                IntStream.rangeClosed(1, stages)
                        .mapToObj(i -> stage(
                                "first-" + i,
                                STAGE,
                                "last-" + i,
                                i == stages ? Optional.empty() : Optional.of("first-" + (i + 1))))
                        .collect(Collectors.joining(", ")));
    }

    private static String stage(String first, int nodes, String last, Optional<String> next) {
        String[] branches = IntStream.rangeClosed(1, nodes - 2)
                .mapToObj(i -> first + "-" + i)
                .toArray(String[]::new);
        String middle = Stream.of(branches).map(branch -> step(branch, last)).collect(Collectors.joining(", "));
        return step(first, branches) + ", " + middle + ", "
                + next.map(after -> step(last, after)).orElseGet(() -> step(last));
    }

    /** A step that does nothing, of those that every server has. */
    static Definition echo() {
        return dag("echo", "a", "{\"id\": \"a\", \"actionType\": \"core.echo\"}");
    }

    /** One durable timer; {@code trigger.delayMs} says how long. Over in the decision that takes it. */
    static Definition delay() {
        return dag("delay", "wait", """
                {"id": "wait", "actionType": "core.delay", "parameters": {"durationMs": "{{ trigger.delayMs }}"}}""");
    }

    /** Waits for a signal whose key is {@code trigger.key}, then it is over. */
    static Definition signal() {
        return states("signal", "wait", """
                "wait": {"wait": {"signal": "%s", "key": "{{ trigger.key }}"}, "next": "done"},
                "done": {"end": {}}""".formatted(SIGNAL));
    }

    /** Asks somebody, who may answer within a month, then it is over. */
    static Definition approval() {
        return states("approval", "review", """
                "review": {
                  "human": {"assignees": [{"role": "reviewer"}], "request": {"title": "Go on?"}},
                  "timeout": "P30D",
                  "transitions": [{"on": "approve", "to": "done"}, {"on": "reject", "to": "done"},
                                  {"on": "timeout", "to": "done"}]
                },
                "done": {"end": {}}""");
    }

    /** Two steps, each of which leads to the other, without end. */
    static Definition loop() {
        return loop("loop", NoOps.ACTION);
    }

    /** The same of an action that every server has. */
    static Definition echoes() {
        return loop("echoes", "core.echo");
    }

    private static Definition loop(String id, String action) {
        return states(id, "there", """
                "there": {"task": {"action": "%1$s"}, "next": "back"},
                "back": {"task": {"action": "%1$s"}, "next": "there"}""".formatted(action));
    }

    /** One step for each element of {@code trigger.items}, a hundred at once, and one join for all. */
    static Definition wide() {
        return states("wide", "all", """
                "all": {
                  "forEach": {
                    "items": "{{ trigger.items }}", "window": 100, "join": "all", "do": {"task": {"action": "%s"}}
                  },
                  "next": "done"
                },
                "done": {"end": {}}""".formatted(NoOps.ACTION));
    }

    private static String step(String id, String... next) {
        return stepOf(NoOps.ACTION, id, next);
    }

    private static String stepOf(String action, String id, String... next) {
        String edges = IntStream.range(0, next.length)
                .mapToObj(i -> "{\"targetNode\": \"" + next[i] + "\"}")
                .collect(Collectors.joining(", "));
        return "{\"id\": \"" + id + "\", \"actionType\": \"" + action + "\""
                + (next.length == 0 ? "" : ", \"edges\": [" + edges + "]") + "}";
    }

    private static Definition dag(String id, String start, String nodes) {
        return new Definition(
                id,
                "{\"id\": \"" + id + "\", \"displayName\": \"" + id + "\", \"startNode\": \"" + start
                        + "\", \"nodes\": [" + nodes + "]}",
                ACTIONS);
    }

    private static Definition states(String id, String start, String states) {
        return new Definition(
                id,
                "{\"$schema\": \"" + StatesDialect.SCHEMA + "\", \"id\": \"" + id + "\", \"name\": \"" + id + "\","
                        + " \"roles\": {\"reviewer\": {}}, \"start\": \"" + start + "\", \"states\": {" + states + "}}",
                ACTIONS);
    }
}
