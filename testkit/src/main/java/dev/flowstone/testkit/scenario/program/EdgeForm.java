package dev.flowstone.testkit.scenario.program;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Edges, in the order of the text, which is their priority. They are made when all names are known: a scope's name stands
 * for its entry. An edge is called {@code from->to}, on another outcome than success {@code from-outcome->to}.
 */
final class EdgeForm {
    private final List<Raw> raw = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    private record Raw(
            String id,
            String from,
            String to,
            Outcome on,
            Optional<String> when,
            boolean otherwise,
            Optional<Outcome> as,
            Optional<String> policy,
            Optional<Cursor> at) {}

    /** {@code to: NAME}, {@code to: {to: NAME, if: …}}, {@code to: {to: NAME, policy: NAME}} or a list of those. */
    void read(String from, Cursor value, Outcome on) {
        if (value.value() instanceof JsonArray) {
            value.items().forEach(item -> one(from, item, on));
        } else {
            one(from, value, on);
        }
    }

    private void one(String from, Cursor value, Outcome on) {
        if (!(value.value() instanceof JsonObject)) {
            value.text()
                    .ifPresent(to -> add(
                            from,
                            to,
                            on,
                            Optional.empty(),
                            false,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of(value)));
            return;
        }
        Part at = new Part(value, List.of("to", "on", "if", "else", "as", "policy"));
        add(
                from,
                at.text("to"),
                at.outcome("on").orElse(on),
                at.maybeText("if"),
                at.flag("else", false),
                at.outcome("as"),
                at.maybeText("policy"),
                Optional.of(value));
    }

    /** One that is always there. */
    String plain(String from, String to, Optional<Cursor> at) {
        return add(from, to, Outcome.SUCCESS, Optional.empty(), false, Optional.empty(), Optional.empty(), at);
    }

    private String add(
            String from,
            String to,
            Outcome on,
            Optional<String> when,
            boolean otherwise,
            Optional<Outcome> as,
            Optional<String> policy,
            Optional<Cursor> at) {
        String name = from + (on.equals(Outcome.SUCCESS) ? "" : "-" + on) + "->" + to;
        String id = name;
        for (int i = 2; !ids.add(id); i++) {
            id = name + "#" + i;
        }
        raw.add(new Raw(id, from, to, on, when, otherwise, as, policy, at));
        return id;
    }

    /**
     * All of them.
     *
     * @param entries the nodes that names of scopes stand for
     */
    List<Edge> edges(Set<String> nodes, Map<String, String> entries) {
        List<Edge> edges = new ArrayList<>();
        for (Raw one : raw) {
            String to = entries.getOrDefault(one.to(), one.to());
            if (!nodes.contains(to)) {
                one.at()
                        .ifPresent(it -> it.fault(
                                "there is no node '" + to + "'" + it.faults().meant(to, nodes)));
                continue;
            }
            edges.add(new Edge(
                    new EdgeId(one.id()),
                    new NodeId(one.from()),
                    new NodeId(to),
                    one.on(),
                    one.when(),
                    one.otherwise(),
                    edges.size(),
                    one.as(),
                    one.policy().map(PolicyName::new),
                    one.at().map(it -> new Origin(it.pointer())).orElse(Origin.COMPILER)));
        }
        return edges;
    }
}
