package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.event.ControlEvent.Migrated;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Topology;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The run follows another program from now on (R26): whatever the state says of a node, it says of the node that took its
 * place. What the new program has no place for, and Migration has let pass, is forgotten. Costs time linear in the state.
 */
final class MigrationApplier {
    private final Draft draft;
    private final Topology before;
    private final Map<NodeId, NodeId> names;
    private final Set<EdgeId> edges;

    private MigrationApplier(Draft draft, Topology before, Map<NodeId, NodeId> names) {
        this.draft = draft;
        this.before = before;
        this.names = names;
        this.edges = draft.program.edges().stream().map(Edge::id).collect(Collectors.toUnmodifiableSet());
    }

    static void migrated(Draft draft, EventHeader header, Migrated body) {
        Topology before = draft.topology;
        draft.follow(body.to());
        draft.version = body.version();
        new MigrationApplier(draft, before, body.nodes()).run();
        countOn(draft, body.visits());
        if (draft.post.principal.isEmpty() && draft.topology.calls()) {
            draft.post.principal = header.actor().toString();
        }
        draft.weight = Weight.of(draft);
        draft.contextBytes = SnapshotReader.contextBytes(draft);
    }

    /** A node that has a name which was used before counts on; what nobody has is kept for who will. */
    private static void countOn(Draft draft, Map<NodeId, Integer> used) {
        draft.used = SortedTree.empty();
        used.forEach((name, visits) -> {
            Place place = draft.topology.find(name.value());
            if (place == null) {
                draft.used = draft.used.with(name, visits);
            } else {
                draft.nodes = draft.nodes.with(place.number(), draft.node(place).from(visits));
            }
        });
    }

    private void run() {
        LongMap<NodeState> nodes = LongMap.empty();
        for (long node = first(draft.nodes); node >= 0; node = draft.nodes.nextKey(node)) {
            Place place = place(node);
            NodeState known = draft.nodes.get(node);
            if (place != null && known != null) {
                nodes = nodes.with(place.number(), node(known));
            }
        }
        draft.nodes = nodes;
        for (ScopeInstance scope : draft.tree.scopes.values()) {
            Scopes.put(draft, scope(scope));
        }
        for (Incident incident : draft.incidents.values()) {
            ActivationId about = incident.activation();
            draft.incidents = draft.incidents.with(
                    incident.sequence(),
                    new Incident(
                            incident.sequence(),
                            incident.code(),
                            about == null ? null : renamed(about),
                            incident.message(),
                            item(incident.parked())));
        }
        for (ForkState fork : draft.tree.forks.values()) {
            draft.tree.forks = draft.tree.forks.without(fork.fork()).with(renamed(fork.fork()), fork(fork));
        }
        verdicts();
        LongMap<NodeId> terminals = LongMap.empty();
        for (NodeId terminal : draft.terminals.values()) {
            Place place = draft.topology.find(renamed(terminal).value());
            if (place != null) {
                terminals = terminals.with(place.number(), place.node().id());
            }
        }
        draft.terminals = terminals;
        draft.control = control(draft.control);
        draft.undoing = undoing(draft.undoing);
    }

    private NodeState node(NodeState known) {
        LongMap<Activation> activations = LongMap.empty();
        for (Activation activation : known.activations().values()) {
            Activation moved = activation.renamed(renamed(activation.id()), activation.key());
            activations = activations.with(activation.id().visit(), moved);
        }
        return new NodeState(
                known.visits(), known.result(), known.leftOut(), known.quiet(), known.loops(), activations);
    }

    private ScopeInstance scope(ScopeInstance scope) {
        SortedTree<ActivationId, ActivationId> live = SortedTree.empty();
        for (ActivationId id : scope.live().values()) {
            live = live.with(renamed(id), renamed(id));
        }
        LongMap<Arrivals> arrivals = LongMap.empty();
        for (long node = first(scope.arrivals());
                node >= 0;
                node = scope.arrivals().nextKey(node)) {
            Place place = place(node);
            Arrivals arrived = scope.arrivals().get(node);
            if (place != null && arrived != null) {
                arrivals = arrivals.with(place.number(), arrived);
            }
        }
        ScopeInstance moved = scope.moved(draft.program.scope(scope.scope().id()), live, arrivals);
        BranchState branch = scope.branch();
        return branch == null ? moved : moved.with(branch(branch));
    }

    /** What nodes without a place produced is not seen any more. */
    private BranchState branch(BranchState branch) {
        LongMap<Payload> results = LongMap.empty();
        for (long node = first(branch.results());
                node >= 0;
                node = branch.results().nextKey(node)) {
            Place place = place(node);
            Payload result = branch.results().get(node);
            if (place != null && result != null) {
                results = results.with(place.number(), result);
            }
        }
        Place last = branch.lastResult() < 0 ? null : place(branch.lastResult());
        return branch.moved(renamed(branch.fork()), last == null ? -1 : last.number(), results);
    }

    private ForkState fork(ForkState fork) {
        SortedTree<EdgeId, EdgeId> via = SortedTree.empty();
        for (EdgeId edge : fork.arrivals()) {
            if (edges.contains(edge)) {
                via = via.with(edge, edge);
            }
        }
        return fork.moved(renamed(fork.fork()), via);
    }

    /** Migration lets none pass that the new program would keep elsewhere. */
    private void verdicts() {
        SortedTree<Verdict.Key, Verdict> moved = SortedTree.empty();
        for (Verdict verdict : draft.people.verdicts.values()) {
            Verdict now = verdict.renamed(renamed(verdict.decided()));
            moved = moved.with(now.key(), now);
        }
        draft.people.verdicts = moved;
    }

    private WorkItem item(WorkItem item) {
        return switch (item) {
            case WorkItem.Enter enter -> {
                Place place = place(enter.node());
                List<EdgeId> via = enter.via().stream().filter(edges::contains).toList();
                yield new WorkItem.Enter(enter.scope(), place == null ? 0 : place.number(), via);
            }
            case WorkItem.Skip skip -> {
                Place place = place(skip.node());
                yield new WorkItem.Skip(skip.scope(), place == null ? 0 : place.number());
            }
            case WorkItem.Route route -> new WorkItem.Route(route.scope(), renamed(route.activation()));
            case WorkItem.Fan fan -> new WorkItem.Fan(fan.scope(), renamed(fan.fork()));
            case WorkItem.Fire fire -> new WorkItem.Fire(fire.scope(), renamed(fire.fork()));
            case WorkItem.Exit _, WorkItem.Settle _, WorkItem.Undo _, WorkItem.Release _ -> item;
        };
    }

    private Controls control(Controls control) {
        SortedTree<TimerId, FrozenTimer> frozen = SortedTree.empty();
        for (FrozenTimer one : control.frozen().values()) {
            TimerState timer = renamed(one.timer());
            frozen = frozen.with(timer.timer(), new FrozenTimer(timer, one.remaining()));
        }
        SortedTree<ActivationId, ActivationId> parked = SortedTree.empty();
        for (ActivationId id : control.parked().values()) {
            parked = parked.with(renamed(id), renamed(id));
        }
        return control.with(frozen, control.thaws()).parked(parked);
    }

    private Undoing undoing(Undoing undoing) {
        LongMap<UndoStack> stacks = LongMap.empty();
        for (long scope = first(undoing.stacks());
                scope >= 0;
                scope = undoing.stacks().nextKey(scope)) {
            stacks = stacks.with(scope, stack(undoing.stack((int) scope)));
        }
        SortedTree<ActivationId, ActivationId> known = SortedTree.empty();
        for (ActivationId id : undoing.known().values()) {
            known = known.with(renamed(id), renamed(id));
        }
        SortedTree<ActivationId, Undoing.Over> over = SortedTree.empty();
        for (Undoing.Over one : undoing.over().values()) {
            ActivationId id = renamed(one.activation());
            over = over.with(id, new Undoing.Over(id, one.answer()));
        }
        LongMap<Mark> marks = LongMap.empty();
        for (long node = first(undoing.marks());
                node >= 0;
                node = undoing.marks().nextKey(node)) {
            Place place = place(node);
            Mark mark = undoing.marks().get(node);
            if (place != null && mark != null) {
                marks = marks.with(place.number(), mark);
            }
        }
        return new Undoing(
                stacks, undoing.jobs(), undoing.running(), undoing.attempts(), undoing.due(), known, over, marks);
    }

    private UndoStack stack(UndoStack stack) {
        UndoStack moved = UndoStack.EMPTY;
        for (UndoEntry entry : stack.entries().reversed()) {
            moved = moved.push(
                    switch (entry) {
                        case UndoEntry.Done done -> done.renamed(renamed(done.activation()));
                        case UndoEntry.Closed closed ->
                            new UndoEntry.Closed(
                                    stack(closed.stack()), closed.branch() == null ? null : branch(closed.branch()));
                    });
        }
        return moved;
    }

    private TimerState renamed(TimerState timer) {
        Optional<ActivationId> owner = timer.activation();
        if (owner.isEmpty()) {
            return timer;
        }
        return timer.renamed(renamed(owner.get()));
    }

    private static long first(LongMap<?> map) {
        return map.isEmpty() ? -1 : map.firstKey();
    }

    private @Nullable Place place(long number) {
        return draft.topology.find(
                renamed(before.place((int) number).node().id()).value());
    }

    private NodeId renamed(NodeId node) {
        return names.getOrDefault(node, node);
    }

    private ActivationId renamed(ActivationId id) {
        NodeId name = names.get(id.node());
        return name == null ? id : new ActivationId(name, id.visit());
    }
}
