package dev.flowstone.testkit.scenario.program;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Scopes, which are written where they lie: {@code flow: {NAME: NODE, …}} or {@code settling: {…}}, entered at the first
 * node unless {@code entry} says otherwise. The branch {@code b} of fork {@code f} is scope {@code f.b}, that of a for-each
 * is {@code f.each}.
 */
final class ScopeForm {
    private static final ScopeId ROOT = new ScopeId("root");
    private static final NodeId START = new NodeId("start");
    private static final List<String> BODY = List.of("flow", "settling", "entry", "onFailure");

    /** Kinds of nodes that hold scopes, like those of {@link NodeForm#KINDS}. */
    private static final List<List<String>> HOLDERS = List.of(
            List.of("fork", "join"),
            List.of("each", "branch", "window", "join"),
            List.of("flow", "entry", "onFailure"),
            List.of("settling", "entry", "onFailure", "out"));

    private static final List<String> COMMON = List.of("to", "on", "routing", "mayEnd");

    private final List<Scope> scopes = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final EdgeForm edges = new EdgeForm();
    private final Set<String> names = new LinkedHashSet<>();
    private final Map<String, String> entries = new HashMap<>();

    List<Scope> scopes() {
        return scopes;
    }

    List<Node> nodes() {
        return nodes;
    }

    List<Edge> edges() {
        return edges.edges(names, entries);
    }

    void root(Part at) {
        Scope.Kind kind = kind(at);
        nodes.add(new Node.Start(START, ROOT, routing(kind), Origin.COMPILER));
        names.add(START.value());
        body(at, kind, ROOT).ifPresent(entry -> edges.plain(START.value(), entry, Optional.empty()));
        scopes.add(new Scope(
                ROOT, Optional.empty(), kind, policy(at), START, Optional.empty(), Optional.empty(), Optional.empty()));
    }

    private static Scope.Kind kind(Part at) {
        if (at.has("flow") == at.has("settling")) {
            at.at().fault("a scope is either flow or settling");
        }
        return at.has("settling") ? Scope.Kind.SETTLING : Scope.Kind.FLOW;
    }

    private static Routing routing(Scope.Kind kind) {
        return kind == Scope.Kind.SETTLING ? Routing.ALL : Routing.FIRST;
    }

    private static Scope.FailurePolicy policy(Part at) {
        return at.word("onFailure", Scope.FailurePolicy.class, Scope.FailurePolicy.FAIL);
    }

    /** Reads the nodes of a scope; its entry. */
    private Optional<String> body(Part at, Scope.Kind kind, ScopeId id) {
        Optional<Cursor> written = at.find(kind == Scope.Kind.SETTLING ? "settling" : "flow");
        if (written.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Cursor> members = written.get().anyMembers().all();
        if (members.isEmpty()) {
            written.get().fault("a scope has nodes");
        }
        members.forEach((name, node) -> node(name, node, kind, id));
        return at.maybeText("entry").or(() -> members.keySet().stream().findFirst());
    }

    private void node(String name, Cursor value, Scope.Kind within, ScopeId scope) {
        Optional<List<String>> kind = kindOf(value);
        if (kind.isEmpty()) {
            return;
        }
        List<String> known = new ArrayList<>(kind.get());
        known.addAll(COMMON);
        Part at = new Part(value, known);
        String word = kind.get().getFirst();
        if (word.equals("flow") || word.equals("settling")) {
            nested(name, at, scope);
            return;
        }
        if (!names.add(name)) {
            value.fault("two nodes are named '" + name + "'");
            return;
        }
        at.find("to").ifPresent(to -> edges.read(name, to, Outcome.SUCCESS));
        at.find("on")
                .ifPresent(on ->
                        on.anyMembers().all().forEach((outcome, to) -> edges.read(name, to, new Outcome(outcome))));
        boolean mayEnd = within == Scope.Kind.SETTLING || (!at.has("to") && !at.has("on"));
        Place place = new Place(
                new NodeId(name),
                scope,
                at.word("routing", Routing.class, routing(within)),
                at.flag("mayEnd", mayEnd),
                new Origin(value.pointer()));
        try {
            nodes.add(word.equals("fork") || word.equals("each") ? fork(at, place) : NodeForm.read(word, at, place));
        } catch (IllegalArgumentException e) {
            value.fault(String.valueOf(e.getMessage()));
        }
    }

    /** The one kind whose key is there; a fork's {@code join} names a node and makes it none. */
    private static Optional<List<String>> kindOf(Cursor value) {
        Set<String> members = value.anyMembers().all().keySet();
        List<List<String>> all = new ArrayList<>(HOLDERS);
        all.addAll(NodeForm.KINDS);
        Optional<List<String>> kind =
                all.stream().filter(it -> members.contains(it.getFirst())).findFirst();
        if (kind.isEmpty()) {
            value.fault("a node has a kind, one of "
                    + String.join(", ", all.stream().map(List::getFirst).toList()));
        }
        return kind;
    }

    private Node fork(Part at, Place place) {
        Branches branches = at.has("fork") ? named(at, place) : each(at, place);
        return new Node.Fork(
                place.id(), place.scope(), branches, new NodeId(at.text("join")), place.routing(), place.origin());
    }

    private Branches named(Part at, Place place) {
        List<Branches.Branch> branches = new ArrayList<>();
        at.find("fork")
                .orElseThrow()
                .anyMembers()
                .all()
                .forEach((name, body) -> branches.add(new Branches.Branch(name, branch(body, place, name))));
        return new Branches.Static(branches);
    }

    private Branches each(Part at, Place place) {
        JsonValue items = at.value("each");
        ScopeId scope = at.find("branch").map(it -> branch(it, place, "each")).orElse(ROOT);
        if (!at.has("branch")) {
            at.at().fault("a for-each has a branch");
        }
        return new Branches.Each(items, scope, at.count("window", 100));
    }

    private ScopeId branch(Cursor body, Place fork, String name) {
        ScopeId id = new ScopeId(fork.id() + "." + name);
        Part at = new Part(body, BODY);
        Scope.Kind kind = kind(at);
        body(at, kind, id)
                .ifPresent(entry -> scopes.add(new Scope(
                        id,
                        Optional.of(fork.scope()),
                        kind,
                        policy(at),
                        new NodeId(entries.getOrDefault(entry, entry)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(fork.id()))));
        return id;
    }

    /** A scope that no fork opens; a settling one goes on from its out node. */
    private void nested(String name, Part at, ScopeId parent) {
        ScopeId id = new ScopeId(name);
        Scope.Kind kind = kind(at);
        Optional<String> entry = body(at, kind, id);
        Optional<EdgeId> continuation = at.find("to")
                .flatMap(to -> to.text().map(target -> edges.plain(at.text("out"), target, Optional.of(to))))
                .map(EdgeId::new);
        entry.ifPresent(it -> {
            entries.put(name, entries.getOrDefault(it, it));
            scopes.add(new Scope(
                    id,
                    Optional.of(parent),
                    kind,
                    policy(at),
                    new NodeId(it),
                    at.maybeText("out").map(NodeId::new),
                    continuation,
                    Optional.empty()));
        });
    }
}
