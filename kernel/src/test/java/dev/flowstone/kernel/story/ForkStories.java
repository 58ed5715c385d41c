package dev.flowstone.kernel.story;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node.Join.Losers;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Histories of forks that later releases must fold as this one does. */
final class ForkStories {
    static final Map<String, Supplier<Story>> ALL = Map.of(
            "fork-all", ForkStories::all,
            "fork-any-cancels", () -> any(Losers.CANCEL).ok("tb", 1).ok("next").ok("ta"),
            "fork-any-keeps", () -> any(Losers.KEEP).ok("tb", 1).ok("next").ok("ta", 2),
            "fork-any-compensates", () -> any(Losers.COMPENSATE).ok("ta", 1),
            "fork-each-windows", ForkStories::windows,
            "fork-each-nested", ForkStories::nested,
            "fork-exit-in-dag", ForkStories::exit,
            "fork-skipped-in-dag", ForkStories::skipped,
            "fork-failures", ForkStories::failures,
            "fork-nothing", ForkStories::nothing);

    private ForkStories() {}

    private static Map<String, Payload> items(int count) {
        List<JsonNumber> items = new java.util.ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(JsonNumber.of((long) i * 10));
        }
        return Map.of(
                "trigger",
                Payload.of(JsonObject.builder()
                        .put("items", new JsonArray(List.copyOf(items)))
                        .build()));
    }

    private static Story all() {
        return Story.of(Programs.dag()
                        .fork("fork", "join", "left", "right")
                        .join("join")
                        .tasks("after")
                        .edge("start", "fork")
                        .edge("join", "after")
                        .settlingBranch("left", "fork", "l1")
                        .tasks("l1", "l2", "l3")
                        .edge("l1", "l2", "false")
                        .edge("l1", "l3")
                        .edge("l2", "join")
                        .edge("l3", "join")
                        .branch("right", "fork", "r1")
                        .strictTask("r1")
                        .arriving(Outcome.SUCCESS, "r1", "join", new Outcome("odd")))
                .start()
                .ok("l1")
                .ok("r1", 5)
                .ok("l3", 6)
                .ok("after", 7);
    }

    private static Story any(Losers losers) {
        return Story.of(Programs.flow()
                        .fork("fork", "join", "a", "b")
                        .join("join", new JoinPolicy.Count(1, Set.of()), losers)
                        .strictTask("next")
                        .end("end")
                        .edge("start", "fork")
                        .edge("join", "next")
                        .edge("next", "end")
                        .branch("a", "fork", "ta")
                        .strictTask("ta")
                        .edge("ta", "join")
                        .branch("b", "fork", "tb")
                        .strictTask("tb")
                        .edge("tb", "join"))
                .start();
    }

    private static Programs each(int window) {
        return Programs.flow()
                .forEach("each", "join", "{{trigger.items}}", "one", window)
                .join("join", new JoinPolicy.Majority(Set.of()), Losers.CANCEL)
                .end("end")
                .edge("start", "each")
                .edge("join", "end")
                .on(Outcome.UNSATISFIED, "join", "end")
                .branch("one", "each", "t")
                .task("t", Retry.NONE, new JsonString("{{item}}"), false, Routing.FIRST)
                .edge("t", "join");
    }

    private static Story windows() {
        return Story.of(each(2))
                .start(items(6))
                .ok("t#1", 1)
                .ok("t#2", 2)
                .ok("t#4", 3)
                .ok("t#3", 4);
    }

    private static Story nothing() {
        return Story.of(each(2)).start(items(0));
    }

    private static Story nested() {
        return Story.of(Programs.flow()
                        .forEach("outer", "all", "{{trigger.items}}", "o", 9)
                        .join("all", new JoinPolicy.Ended(1), Losers.KEEP)
                        .end("end")
                        .edge("start", "outer")
                        .edge("all", "end")
                        .branch("o", "outer", "inner")
                        .fork("inner", "both", "x")
                        .join("both")
                        .edge("both", "all")
                        .branch("x", "inner", "t")
                        .task("t", Retry.NONE, new JsonString("{{item}}"), false, Routing.FIRST)
                        .edge("t", "both"))
                .start(items(2))
                .ok("t#2", 1)
                .ok("t#1", 2);
    }

    private static Programs dag(String condition) {
        return Programs.dag()
                .tasks("first", "after", "repair")
                .fork("fork", "join", "one", "two")
                .join("join")
                .edge("start", "first")
                .edge("first", "fork", condition)
                .edge("join", "after")
                .branch("one", "fork", "t")
                .strictTask("t")
                .edge("t", "join")
                .on(Outcome.FAILURE, "t", "repair")
                .branch("two", "fork", "u")
                .strictTask("u")
                .edge("u", "join");
    }

    private static Story exit() {
        return Story.of(dag("true"))
                .start()
                .ok("first")
                .failForGood("t")
                .ok("u")
                .ok("repair", 1);
    }

    private static Story skipped() {
        return Story.of(dag("false")).start().ok("first");
    }

    private static Story failures() {
        return Story.of(Programs.dag()
                        .fork("fork", "join", "a", "b", "c")
                        .join("join", new JoinPolicy.Count(1, Set.of()), Losers.CANCEL)
                        .edge("start", "fork")
                        .branch("a", "fork", "ta", Scope.Kind.FLOW, Scope.FailurePolicy.ARRIVE)
                        .strictTask("ta")
                        .edge("ta", "join")
                        .branch("b", "fork", "tb", Scope.Kind.FLOW, Scope.FailurePolicy.PARK)
                        .strictTask("tb")
                        .edge("tb", "join")
                        .branch("c", "fork", "tc")
                        .strictTask("tc")
                        .edge("tc", "join"))
                .start()
                .failForGood("ta")
                .failForGood("tb")
                .ok("tc", 3);
    }
}
