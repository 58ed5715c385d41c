package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import dev.flowstone.testkit.simulation.world.Told;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one run has done and undone, as its log tells it; the newest of everything first. */
final class UndoLog {
    private static final int NOBODY = -1;

    private final Programs programs;
    private Program program;
    private ScopeTree tree;
    private final Map<Integer, ArrayDeque<Entry>> done = new HashMap<>();
    private final Map<Integer, ArrayDeque<ActivationId>> jobs = new HashMap<>();
    private final Map<ActivationId, Integer> running = new HashMap<>();
    private final Set<ActivationId> known = new HashSet<>();
    private final Set<ActivationId> undone = new HashSet<>();
    private final Map<NodeId, Integer> depths = new HashMap<>();
    private int due = NOBODY;
    private boolean killed;

    /** One effect, or everything that was done in a scope that is closed. */
    private sealed interface Entry {
        record Effect(ActivationId activation) implements Entry {}

        record Closed(ArrayDeque<Entry> inside) implements Entry {}
    }

    /**
     * A run that has done nothing.
     *
     * @param programs those that it may be moved to
     * @param program the one that it begins with
     */
    UndoLog(Programs programs, Program program) {
        this.programs = programs;
        this.program = program;
        this.tree = new ScopeTree(program);
    }

    /** Scopes are open already where another run left them; what that one did is its own to undo. */
    void begin(List<Told> before) {
        if (!before.isEmpty()) {
            tree = new ScopeTree(before.getFirst().program());
        }
        for (Told told : before) {
            if (told.event().body() instanceof ControlEvent.Migrated moved) {
                tree.move(told.program(), moved);
            }
            tree.follow(told.event().body());
        }
    }

    /** Follows one event; answers with what is wrong about it. */
    Optional<String> follow(EventBody event) {
        tree.follow(event).ifPresent(this::closed);
        switch (event) {
            case ControlEvent.Migrated body -> moved(body);
            case EventBody.TaskCompleted body -> did(body.activation());
            case EventBody.EffectObserved body -> did(body.activation());
            case EventBody.Transitioned body when !isFork(body.activation()) -> marks(body.activation());
            case ForkEvent.ForkOpened body -> marks(body.fork());
            case ControlEvent.RolledBack body -> {
                return rolledBack(body.mark());
            }
            case CompensationEvent.CompensationDue body -> due = body.scope();
            case ControlEvent.RunCanceling body -> due = body.undoes() ? 0 : NOBODY;
            case ControlEvent.RunTerminating _ -> {
                due = NOBODY;
                killed = true;
            }
            case CompensationEvent.CompensationBegan body -> began(body);
            case CompensationEvent.CompensationScheduled body -> {
                return scheduled(body.activation());
            }
            case CompensationEvent.CompensationApplied body -> {
                return over(body.activation());
            }
            case CompensationEvent.CompensationFailed body -> {
                return killed ? over(body.activation()) : Optional.empty();
            }
            case HumanEvent.AttestationGiven body ->
                running.keySet().stream()
                        .filter(id -> id.toString().equals(body.id()))
                        .findFirst()
                        .ifPresent(this::over);
            case EventBody ends
            when ends.endsRun() -> {
                return ended();
            }
            default -> {}
        }
        return Optional.empty();
    }

    /** Nothing is being undone then; what was done goes by its new names. */
    private void moved(ControlEvent.Migrated body) {
        program = programs.find(body.to()).orElseThrow();
        tree.move(program, body);
        done.replaceAll((_, stack) -> renamed(body, stack));
        Renamed.all(known, id -> Renamed.now(body, id));
        Renamed.all(undone, id -> Renamed.now(body, id));
        depths.keySet().removeIf(node -> !program.has(Renamed.now(body, node)));
        Renamed.keys(depths, node -> Renamed.now(body, node));
    }

    private static ArrayDeque<Entry> renamed(ControlEvent.Migrated moved, ArrayDeque<Entry> stack) {
        ArrayDeque<Entry> now = new ArrayDeque<>();
        for (Entry entry : stack) {
            now.add(
                    switch (entry) {
                        case Entry.Effect effect -> new Entry.Effect(Renamed.now(moved, effect.activation));
                        case Entry.Closed closed -> new Entry.Closed(renamed(moved, closed.inside));
                    });
        }
        return now;
    }

    private void did(ActivationId activation) {
        boolean undoable = program.node(activation.node()) instanceof Node.Task task
                && task.compensation().isPresent();
        if (undoable && known.add(activation)) {
            tree.owner(activation).ifPresent(owner -> stack(owner.number).push(new Entry.Effect(activation)));
        }
    }

    /** A node of the root was completed, or a fork opened: a later rollback takes back what is done from its own effect on. */
    private void marks(ActivationId activation) {
        ArrayDeque<Entry> root = stack(0);
        if (tree.owner(activation).filter(owner -> owner == tree.root()).isPresent()) {
            boolean own = new Entry.Effect(activation).equals(root.peek());
            depths.put(activation.node(), own ? root.size() - 1 : root.size());
        }
    }

    private boolean isFork(ActivationId activation) {
        return program.node(activation.node()) instanceof Node.Fork;
    }

    private Optional<String> rolledBack(NodeId mark) {
        int depth = depths.getOrDefault(mark, 0);
        return stack(0).size() == depth || tree.isUnsure()
                ? Optional.empty()
                : Optional.of("rolled back to " + mark + ", where " + depth + " things had been done, but left are "
                        + stack(0));
    }

    private ArrayDeque<Entry> stack(int scope) {
        return done.computeIfAbsent(scope, _ -> new ArrayDeque<>());
    }

    private void closed(ScopeTree.Instance scope) {
        ScopeTree.Instance parent = scope.parent;
        ArrayDeque<Entry> inside = stack(scope.number);
        if (inside.isEmpty()) {
            return;
        }
        if (scope.number != due && parent != null) {
            done.remove(scope.number);
            stack(parent.number).push(new Entry.Closed(inside));
        } else if (scope.isInBranch()) {
            // What is to be undone of a branch is one entry then, with what the branch saw.
            done.remove(scope.number);
            stack(scope.number).push(new Entry.Closed(inside));
        }
    }

    private void began(CompensationEvent.CompensationBegan body) {
        ArrayDeque<ActivationId> newer = new ArrayDeque<>();
        for (int i = 0; i < body.entries() && !stack(body.scope()).isEmpty(); i++) {
            unfold(stack(body.scope()).pop(), newer);
        }
        jobs.merge(body.scope(), newer, (before, more) -> {
            more.addAll(before);
            return more;
        });
    }

    private static void unfold(Entry entry, ArrayDeque<ActivationId> into) {
        switch (entry) {
            case Entry.Effect effect -> into.add(effect.activation);
            case Entry.Closed closed -> closed.inside.forEach(inner -> unfold(inner, into));
        }
    }

    private Optional<String> scheduled(ActivationId undoing) {
        ActivationId effect = undoing.opposite();
        if (!known.contains(effect)) {
            return Optional.of(undoing + " undoes what was not done");
        }
        if (!undone.add(effect)) {
            return Optional.of(effect + " is undone a second time");
        }
        Integer job = jobWith(effect);
        if (job == null || running.containsValue(job)) {
            return tree.isUnsure()
                    ? Optional.empty()
                    : Optional.of(undoing + " comes before its turn; in turn, newest first, are " + jobs
                            + ", being undone are " + running);
        }
        jobs.getOrDefault(job, new ArrayDeque<>()).pop();
        running.put(undoing, job);
        return Optional.empty();
    }

    private @Nullable Integer jobWith(ActivationId newest) {
        for (Map.Entry<Integer, ArrayDeque<ActivationId>> job : jobs.entrySet()) {
            if (newest.equals(job.getValue().peek())) {
                return job.getKey();
            }
        }
        return null;
    }

    private Optional<String> over(ActivationId undoing) {
        if (running.remove(undoing) == null && !tree.isUnsure()) {
            return Optional.of(undoing + " is over and had not begun");
        }
        return Optional.empty();
    }

    private Optional<String> ended() {
        boolean left = jobs.values().stream().anyMatch(job -> !job.isEmpty())
                || !running.isEmpty()
                || (due != NOBODY && !stack(due).isEmpty());
        return left && !killed && !tree.isUnsure()
                ? Optional.of("the run has ended, and left to be undone are " + jobs + ", " + running + ", " + done)
                : Optional.empty();
    }
}
