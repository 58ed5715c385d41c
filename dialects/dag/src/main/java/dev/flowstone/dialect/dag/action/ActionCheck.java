package dev.flowstone.dialect.dag.action;

import dev.flowstone.dialect.dag.action.ActionCatalog.ParameterFault;
import dev.flowstone.dialect.dag.definition.DagNode;
import dev.flowstone.dialect.dag.definition.DagNode.Kind;
import dev.flowstone.dialect.dag.definition.Definition;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Whether every node's action exists and takes its parameters. */
public final class ActionCheck {
    private static final int LONGEST = 500;

    private final ActionCatalog catalog;
    private final DelayCheck delays;
    private final Faults faults;
    private final Nearest nearest;
    private final Set<String> enabled;
    private final List<String> known;

    public ActionCheck(ActionCatalog catalog, DelayCheck delays, Faults faults, Nearest nearest) {
        this.catalog = catalog;
        this.delays = delays;
        this.faults = faults;
        this.nearest = nearest;
        this.enabled = Set.copyOf(catalog.names());
        Set<String> names = new TreeSet<>(enabled);
        names.add(DagNode.DELAY);
        this.known = List.copyOf(names);
    }

    /**
     * Notes what is wrong with any node's action.
     *
     * @param deadline of a run that says nothing of its own
     */
    public void check(Definition definition, Duration deadline) {
        for (DagNode node : definition.nodes()) {
            if (node.isDelay()) {
                catalog.disabled(DagNode.DELAY).ifPresent(instead -> disabled(node, DagNode.DELAY, instead));
                delays.check(node, definition.settings().timeout().orElse(deadline));
            } else if (node.kind() == Kind.ACTION) {
                node.actionType().ifPresent(action -> check(node, action));
            }
        }
    }

    private void check(DagNode node, String action) {
        if (!enabled.contains(action)) {
            catalog.disabled(action)
                    .ifPresentOrElse(instead -> disabled(node, action, instead), () -> unknown(node, action));
            return;
        }
        catalog.deprecation(action)
                .ifPresent(notice -> faults.add(
                        FaultCode.ACTION_DEPRECATED,
                        node.pointer() + "/actionType",
                        "the action " + Quoted.text(action) + " is deprecated",
                        Quoted.cut(notice, LONGEST)));
        for (ParameterFault fault : catalog.check(action, node.parameters())) {
            faults.add(
                    FaultCode.ACTION_PARAMETERS,
                    node.pointer() + "/parameters" + fault.pointer(),
                    Quoted.cut(fault.message(), LONGEST),
                    Quoted.cut(fault.remedy(), LONGEST));
        }
    }

    private void disabled(DagNode node, String action, String instead) {
        faults.add(
                FaultCode.ACTION_DISABLED,
                node.pointer() + "/actionType",
                "the action " + Quoted.text(action) + " is disabled: no new version may name it",
                Quoted.cut(instead, LONGEST));
    }

    private void unknown(DagNode node, String action) {
        faults.add(
                FaultCode.UNKNOWN_ACTION,
                node.pointer() + "/actionType",
                "no action is named " + Quoted.text(action),
                nearest.orElse(
                        action,
                        known,
                        "there are " + Quoted.choice(known).replace(" or ", " and ")
                                + "; others come with a connector's jar (connector.plugins) or are done by workers"
                                + " (worker.actions)"));
    }
}
