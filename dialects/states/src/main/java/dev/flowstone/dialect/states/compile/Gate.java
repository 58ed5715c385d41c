package dev.flowstone.dialect.states.compile;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import dev.flowstone.dialect.states.compile.Parts.Terms;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Rules;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Routing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The policies in front of a state: all must allow, and what can't be evaluated never does. Policies of one rule are one
 * condition. Of a policy of ordered rules each rule is a Choice of its own that is named after its reason, so that the
 * event of the one that decided tells why, beside what was read. A published policy is a Choice whose edge it must allow.
 */
final class Gate {
    private final Map<String, At> policies;
    private final Rules rules;
    private final StateDef state;
    private final ScopeId scope;

    Gate(At workflow, StateDef state, ScopeId scope) {
        this.policies = workflow.named("policies");
        this.rules = new Rules(workflow);
        this.state = state;
        this.scope = scope;
    }

    /** The nodes whose other edge is the denial. */
    List<NodeId> denying() {
        List<NodeId> nodes = new ArrayList<>();
        if (!plain().isEmpty()) {
            nodes.add(Ids.of(state, "policy"));
        }
        bundles().forEach(name -> nodes.add(bundle(name)));
        for (String name : ordered()) {
            for (Step step : steps(name)) {
                if (!step.allows()) {
                    nodes.add(step.id());
                }
            }
        }
        return nodes;
    }

    void compile(Parts parts, NodeId after) {
        Origin from = new Origin(state.at().pointer("policies"));
        NodeId next = after;
        for (String name : ordered().reversed()) {
            next = compile(parts, steps(name), next);
        }
        for (String name : bundles().reversed()) {
            NodeId id = choice(parts, bundle(name), from);
            At policy = requireNonNull(policies.get(name), "policies of bundles are there");
            PolicyName bundle = new PolicyName(policy.text("bundle").orElseThrow());
            parts.asking(id, next, bundle, new Origin(policy.pointer("bundle")));
            next = id;
        }
        NodeId id = choice(parts, Ids.of(state, "policy"), from);
        Optional<String> all = plain().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        plain().stream().map(it -> "(" + rules.policy(it) + ")").collect(joining(" && ")));
        parts.edge(id, StateDef.SUCCESS, next, new Terms(all, false, 0, Optional.empty()), from);
    }

    private NodeId compile(Parts parts, List<Step> steps, NodeId allowed) {
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            NodeId id = choice(parts, step.id(), step.origin());
            Optional<String> when = step.when();
            if (step.allows()) {
                parts.edge(id, StateDef.SUCCESS, allowed, new Terms(when, false, 0, Optional.empty()), step.origin());
            }
            if (when.isPresent()) {
                // A rule that denies is asked whether it doesn't apply: an error is false, and false denies.
                Terms passed = step.allows()
                        ? new Terms(Optional.empty(), true, 1, Optional.empty())
                        : new Terms(Optional.of("!(" + when.get() + ")"), false, 0, Optional.empty());
                parts.edge(id, StateDef.SUCCESS, steps.get(i + 1).id(), passed, step.origin());
            }
        }
        return steps.getFirst().id();
    }

    private NodeId choice(Parts parts, NodeId id, Origin from) {
        parts.nodes.add(new Node.Choice(id, scope, Routing.FIRST, false, from));
        return id;
    }

    /** In their order, until one applies to everything; else a last one denies everything. */
    private List<Step> steps(String name) {
        List<Step> steps = new ArrayList<>();
        At policy = requireNonNull(policies.get(name), "policies of rules are there");
        for (At rule : policy.list("rules")) {
            String reason = rule.text("reason").orElseThrow();
            NodeId id = Ids.of(state, "policy/" + name + "/" + steps.size() + "/" + reason);
            Optional<String> when = rule.value("when").map(rules::condition);
            boolean allows = rule.text("effect").orElseThrow().equals("allow");
            steps.add(new Step(id, when, allows, new Origin(rule.pointer())));
            if (when.isEmpty()) {
                return steps;
            }
        }
        NodeId otherwise = Ids.of(state, "policy/" + name + "/otherwise");
        steps.add(new Step(otherwise, Optional.empty(), false, new Origin(policy.pointer("rules"))));
        return steps;
    }

    private List<String> plain() {
        return state.at().texts("policies").stream()
                .filter(it -> !has(it, "rules") && !has(it, "bundle"))
                .toList();
    }

    private List<String> ordered() {
        return state.at().texts("policies").stream()
                .filter(it -> has(it, "rules"))
                .distinct()
                .toList();
    }

    private List<String> bundles() {
        return state.at().texts("policies").stream()
                .filter(it -> has(it, "bundle"))
                .distinct()
                .toList();
    }

    private NodeId bundle(String name) {
        return Ids.of(state, "policy/" + name + "/bundle");
    }

    private boolean has(String name, String member) {
        At policy = policies.get(name);
        return policy != null && policy.has(member);
    }

    /** One rule: it applies {@code when}, or to everything. */
    private record Step(NodeId id, Optional<String> when, boolean allows, Origin origin) {}
}
