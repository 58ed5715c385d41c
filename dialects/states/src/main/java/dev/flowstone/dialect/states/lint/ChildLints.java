package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Workflows that call themselves, and calls that don't say what their timeout does to the child. */
final class ChildLints {
    /** However many workflows call each other. */
    private static final int MOST = 10_000;

    private final Source source;
    private final Callees callees;
    private final Faults faults;

    ChildLints(Source source, Callees callees, Faults faults) {
        this.source = source;
        this.callees = callees;
        this.faults = faults;
    }

    void run() {
        for (Map.Entry<String, At> each :
                source.workflow().named("subworkflows").entrySet()) {
            String workflow = each.getValue().text("workflow").orElse("");
            String way = wayBack(workflow);
            if (!way.isEmpty()) {
                faults.add(
                        Lint.CHILD_CYCLE,
                        each.getValue().pointer("workflow"),
                        "this workflow calls itself: " + Quoted.cut(way, 300),
                        "end the circle, or allow the recursion and bound it by a condition");
            }
        }
        for (StateDef state : source.states()) {
            At call = state.at().object("call").orElse(null);
            if (call != null && state.at().has("timeout") && !call.has("onTimeout") && !call.flag("spawn", false)) {
                faults.add(
                        Lint.CHILD_TIMEOUT,
                        call.pointer(),
                        "it isn't said what the timeout of " + Quoted.text(state.name()) + " does to the child",
                        "add \"onTimeout\": \"cascade\", \"detach\" or \"wait\"");
            }
        }
    }

    /** How a callee leads back here, or nothing. */
    private String wayBack(String first) {
        Map<String, String> ways = new HashMap<>();
        Deque<String> open = new ArrayDeque<>();
        ways.put(first, source.id() + " → " + first);
        open.add(first);
        while (!open.isEmpty() && ways.size() < MOST) {
            String at = open.remove();
            if (at.equals(source.id())) {
                return ways.getOrDefault(at, "");
            }
            for (String next : callees.of(at)) {
                if (ways.putIfAbsent(next, ways.get(at) + " → " + next) == null) {
                    open.add(next);
                }
            }
        }
        return "";
    }
}
