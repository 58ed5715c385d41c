package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.BranchState;
import dev.flowstone.kernel.state.ChildResult;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.HeldPermit;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.kernel.state.NodeState;
import dev.flowstone.kernel.state.OpenChild;
import dev.flowstone.kernel.state.PersistentRunState;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.UndoEntry;
import dev.flowstone.kernel.state.Verdict;
import dev.flowstone.kernel.state.WorkItem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What moving a waiting run to another program would do to it, and why it can't be done (R26). Pure; it costs time linear
 * in the state and the programs.
 */
public final class Migration {
    private final Move move;
    private final Draft state;
    private final Program to;
    private final Map<NodeId, NodeId> names;
    private final Map<NodeId, Integer> given;
    private final List<String> obstacles = new ArrayList<>();

    private Migration(Move move) {
        this.move = move;
        this.state = move.state();
        this.to = move.to();
        this.names = move.names();
        this.given = move.given();
    }

    /**
     * What would happen.
     *
     * @param moves live activations and the names that they would have
     * @param forgotten visited nodes that the new program has no place for: what they answered is not seen any more
     * @param obstacles why the run can't move, a sentence each; it can if there are none
     */
    public record Preview(Map<ActivationId, ActivationId> moves, List<NodeId> forgotten, List<String> obstacles) {
        public Preview {
            moves = Map.copyOf(moves);
            forgotten = List.copyOf(forgotten);
            obstacles = List.copyOf(obstacles);
        }

        public boolean isPossible() {
            return obstacles.isEmpty();
        }
    }

    /**
     * Looks ahead.
     *
     * @param nodes new names of nodes by old ones; those not named keep their name
     */
    public static Preview preview(RunState state, Program to, Map<NodeId, NodeId> nodes) {
        if (!(state instanceof PersistentRunState known)) {
            throw new IllegalArgumentException("a state that the kernel did not make: " + state.getClass());
        }
        return of(known.draft(), to, nodes);
    }

    static Preview of(Draft state, Program to, Map<NodeId, NodeId> nodes) {
        return new Migration(new Move(state, to, nodes)).run();
    }

    private Preview run() {
        waits();
        map();
        Map<ActivationId, ActivationId> moves = new HashMap<>();
        List<NodeId> forgotten = new ArrayList<>();
        for (int number = 0; number < state.topology().size(); number++) {
            Place place = state.topology().place(number);
            NodeState node = state.nodes().get(number);
            if (node == null) {
                continue;
            }
            Place target = move.target(place.node().id());
            if (target == null && node.visits() > 0) {
                forgotten.add(place.node().id());
            }
            if (target != null && hasResult(place, node) && !ChildResult.reads(place.node(), target.node())) {
                obstacles.add("what " + place.node().id() + " has answered would be read as another kind of result of "
                        + target.node().id());
            }
            for (Activation activation : node.activations().values()) {
                if (!activation.status().isFinal()) {
                    moves.put(activation.id(), move.name(activation.id()));
                    live(activation, place, target);
                }
            }
        }
        MovedScopes.check(move, obstacles);
        incidents();
        effects();
        others();
        return new Preview(moves, forgotten, obstacles);
    }

    private boolean hasResult(Place place, NodeState node) {
        return node.result() != null
                || state.tree().scopes().stream()
                        .map(ScopeInstance::branch)
                        .anyMatch(branch -> branch != null && branch.results().get(place.number()) != null);
    }

    private void waits() {
        if (!to.workflow().equals(state.program().workflow())) {
            obstacles.add("the program is one of workflow " + to.workflow());
        }
        if (state.ending() != Ending.NONE) {
            obstacles.add("the run is on its way to its end, or back");
        } else if (state.head() != null
                || state.hasInput()
                || state.people().firstVoided() != null
                || state.people().firstDrifting() != null) {
            obstacles.add("the run has work to decide; only a waiting one moves");
        }
        if (!state.undoing().isIdle()) {
            obstacles.add("something is being undone");
        }
    }

    private void map() {
        Map<NodeId, NodeId> sources = new HashMap<>();
        names.forEach((old, now) -> {
            if (state.topology().find(old.value()) == null) {
                obstacles.add("the map names " + old + ", which the run's program doesn't have");
            }
            if (to.topology().find(now.value()) == null) {
                obstacles.add("the map leads to " + now + ", which the new program doesn't have");
            }
        });
        for (Node node : state.program().nodes()) {
            NodeId name = move.name(node.id());
            NodeId other = sources.put(name, node.id());
            if (other != null && visited(other) && visited(node.id())) {
                obstacles.add("both " + other + " and " + node.id() + " would be " + name);
            }
        }
    }

    private boolean visited(NodeId node) {
        return state.node(state.topology().place(node)).visits() > 0;
    }

    private void live(Activation activation, Place from, @Nullable Place target) {
        ActivationId id = activation.id();
        if (target == null) {
            obstacles.add(id + " lives, and the new program has no such node");
            return;
        }
        Node before = from.node();
        Node after = target.node();
        if (!before.getClass().equals(after.getClass())) {
            obstacles.add(id + " lives, and " + after.id() + " is of another kind");
            return;
        }
        ScopeInstance scope = state.tree().scope(activation.scope());
        if (scope != null && !target.scope().id().equals(scope.scope().id())) {
            obstacles.add(id + " lives in scope " + scope.scope().id() + ", and " + after.id() + " lies in "
                    + target.scope().id());
        }
        Attempt attempt = state.attempt(id);
        boolean renames = move.renames(before.id());
        if (attempt != null
                && after instanceof Node.Task task
                && !task.handler().equals(attempt.handler())) {
            obstacles.add("an attempt of " + id + " is open, and its handler would be " + task.handler());
        }
        boolean parked = state.control().parked().get(id) != null || activation.outcome() != null;
        if (!parked) {
            begun(id, before, after);
        }
        if (renames && !parked && !(before instanceof Node.Timer)) {
            obstacles.add(id + " lives and is known by its name outside: it can't be renamed now");
        }
        named(id, activation.earlier());
    }

    /** A name that was given to one visit is given to no other (R5); what is renamed may get back its own ones. */
    private void named(ActivationId id, List<NodeId> earlier) {
        NodeId name = move.name(id.node());
        boolean own = name.equals(id.node()) || earlier.contains(name);
        if (!own && given.getOrDefault(name, 0) >= id.visit()) {
            obstacles.add(id + " would be " + move.name(id) + ", as another visit was called already");
        }
    }

    /** What has begun goes on by the rules that it began with. */
    private void begun(ActivationId id, Node before, Node after) {
        boolean same = switch (before) {
            case Node.Fork fork -> sameFork(fork, (Node.Fork) after);
            case Node.HumanTask human -> sameQuorum(human, (Node.HumanTask) after);
            case Node.Await await -> await.source().equals(((Node.Await) after).source());
            case Node.Call call -> call.workflow().equals(((Node.Call) after).workflow());
            case Node.Task _,
                    Node.Timer _,
                    Node.Start _,
                    Node.End _,
                    Node.Choice _,
                    Node.Assign _,
                    Node.Join _,
                    Node.Emit _ -> true;
        };
        if (!same) {
            obstacles.add(id + " has begun, and " + after.id() + " would go on by other rules");
        }
    }

    /** Branches, and when their join fires. */
    private boolean sameFork(Node.Fork before, Node.Fork after) {
        NodeId join = move.name(before.join());
        return before.branches().equals(after.branches())
                && join.equals(after.join())
                && state.program().node(before.join()) instanceof Node.Join was
                && to.node(after.join()) instanceof Node.Join is
                && was.policy().equals(is.policy());
    }

    /** All that a decision is judged by; and no reminder is left without its rule. */
    private static boolean sameQuorum(Node.HumanTask before, Node.HumanTask after) {
        return before.outcomes().equals(after.outcomes())
                && before.vetoes().equals(after.vetoes())
                && before.abstain().equals(after.abstain())
                && before.quorum().equals(after.quorum())
                && before.uniqueActors() == after.uniqueActors()
                && before.unmet().equals(after.unmet())
                && before.reminders().equals(after.reminders());
    }

    /** What is known by a node's name outside the run keeps it; branches and decisions stay where they are. */
    private void others() {
        for (Attempt attempt : state.openAttempts()) {
            underWay(attempt.activation());
        }
        for (HeldPermit permit : state.post().permits()) {
            keepsName(permit.activation(), "holds permits");
        }
        for (OpenChild child : state.post().children()) {
            keepsName(child.activation(), "has a child");
        }
        for (ScopeInstance open : state.tree().scopes()) {
            BranchState branch = open.branch();
            EdgeId arrived = branch == null ? null : branch.arrived();
            if (arrived != null
                    && to.edges().stream().noneMatch(edge -> edge.id().equals(arrived))) {
                obstacles.add("a branch has arrived by edge " + arrived + ", which the new program doesn't have");
            }
        }
        for (Verdict verdict : state.people().verdicts()) {
            NodeId human = verdict.decided().node();
            ScopeId kept = to.topology().gatedScope(move.name(human));
            if (!Objects.equals(state.topology().gatedScope(human), kept)) {
                obstacles.add("what was decided in " + verdict.decided() + " waits to be used, and would be lost");
            }
            named(verdict.decided(), verdict.earlier());
        }
    }

    /** Whoever works for a canceled activation still answers, and the run's end waits for that. */
    private void underWay(ActivationId id) {
        Activation known = state.activation(id);
        if (known != null && !known.status().isFinal()) {
            return;
        }
        Place target = move.target(id.node());
        if (target == null || !(target.node() instanceof Node.Task)) {
            obstacles.add("an attempt of " + id
                    + ", which was canceled, is still open, and the new program has no such task");
        }
        keepsName(id, "was canceled, has an open attempt");
    }

    private void keepsName(ActivationId id, String why) {
        if (move.renames(id.node())) {
            obstacles.add(id + " " + why + " and is known by its name outside: it can't be renamed now");
        }
    }

    private void incidents() {
        for (Incident incident : state.incidents().values()) {
            NodeId node = switch (incident.parked()) {
                case WorkItem.Enter enter ->
                    state.topology().place(enter.node()).node().id();
                case WorkItem.Skip skip ->
                    state.topology().place(skip.node()).node().id();
                case WorkItem.Route route -> route.activation().node();
                case WorkItem.Exit exit -> state.program().edge(exit.edge()).to();
                case WorkItem.Fan fan -> fan.fork().node();
                case WorkItem.Fire fire -> fire.fork().node();
                case WorkItem.Settle _, WorkItem.Undo _, WorkItem.Release _ -> null;
            };
            boolean exits = incident.parked() instanceof WorkItem.Exit;
            if (exits || (node != null && move.target(node) == null)) {
                obstacles.add("incident " + incident.sequence() + " is about " + node
                        + ", which would have no place in the new program");
            }
        }
    }

    /** What was done must stay undoable. */
    private void effects() {
        for (UndoEntry.Done done : state.undoing().effects()) {
            Place target = move.target(done.activation().node());
            if (target == null
                    || !(target.node() instanceof Node.Task task)
                    || task.compensation().isEmpty()) {
                obstacles.add("nothing in the new program would undo " + done.activation());
            }
            named(done.activation(), done.earlier());
        }
    }
}
