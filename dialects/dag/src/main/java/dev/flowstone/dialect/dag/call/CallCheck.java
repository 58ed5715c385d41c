package dev.flowstone.dialect.dag.call;

import dev.flowstone.dialect.dag.definition.DagNode;
import dev.flowstone.dialect.dag.definition.DagNode.Kind;
import dev.flowstone.dialect.dag.definition.Definition;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Subworkflow nodes whose call would fail as things are: of a workflow that isn't there, or that is above itself; and those
 * whose time is never up, because the run's is before.
 */
public final class CallCheck {
    private final KnownWorkflows workflows;
    private final Faults faults;

    public CallCheck(KnownWorkflows workflows, Faults faults) {
        this.workflows = workflows;
        this.faults = faults;
    }

    /**
     * Notes what is to be warned of.
     *
     * @param deadline of a run that says nothing of its own
     */
    public void check(Definition definition, Duration deadline) {
        Duration end = definition.settings().timeout().orElse(deadline);
        for (DagNode node : definition.nodes()) {
            if (node.kind() == Kind.SUBWORKFLOW) {
                node.workflowId()
                        .ifPresent(called -> check(node, called, definition.id().orElse("")));
                timed(node, end);
            }
        }
    }

    /** The defaults are silent: they are as long as each other, and nobody has asked for a time. */
    private void timed(DagNode node, Duration deadline) {
        boolean never = node.waits()
                && node.policies()
                        .timeout()
                        .filter(it -> it.compareTo(deadline) >= 0)
                        .isPresent();
        if (never) {
            faults.add(
                    FaultCode.TIMEOUT_BEYOND_DEADLINE,
                    node.pointer() + "/policies/timeoutMs",
                    "the run fails at its deadline, " + deadline
                            + " after its start, before this call's time is up: no edge of the node is followed then",
                    "make it shorter, or raise 'settings.timeoutMs', or dag.workflowTimeout");
        }
    }

    private void check(DagNode node, String called, String caller) {
        String pointer = node.pointer() + "/workflowId";
        if (!called.equals(caller)) {
            workflows
                    .refusal(called, node.workflowVersion())
                    .ifPresent(reason -> faults.add(
                            FaultCode.UNKNOWN_WORKFLOW,
                            pointer,
                            "a call would fail now: " + Quoted.cut(reason, 300),
                            "publish it before this workflow runs, or name another"));
        }
        String way = wayBack(called, caller);
        if (!way.isEmpty()) {
            faults.add(
                    FaultCode.RECURSIVE_CALL,
                    pointer,
                    "this workflow is called below itself: " + Quoted.cut(way, 300),
                    "end the circle, or allow the recursion (engine.callRecursion) and bound it by a condition");
        }
    }

    /** How the called one leads back to its caller, as far as the workflows are known; or nothing. */
    private String wayBack(String called, String caller) {
        Map<String, String> callers = new HashMap<>(Map.of(called, caller));
        Deque<String> open = new ArrayDeque<>(List.of(called));
        while (!open.isEmpty()) {
            String at = open.remove();
            if (at.equals(caller)) {
                return way(called, at, callers);
            }
            for (String next : workflows.called(at)) {
                if (callers.putIfAbsent(next, at) == null) {
                    open.add(next);
                }
            }
        }
        return "";
    }

    private static String way(String called, String back, Map<String, String> callers) {
        Deque<String> way = new ArrayDeque<>(List.of(Quoted.text(back)));
        for (String at = back; !at.equals(called); ) {
            at = callers.getOrDefault(at, called);
            way.addFirst(Quoted.text(at));
        }
        way.addFirst(Quoted.text(back));
        return String.join(" → ", way);
    }
}
