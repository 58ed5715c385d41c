package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.CompensationEvent.CompensationApplied;
import dev.flowstone.kernel.event.CompensationEvent.CompensationBegan;
import dev.flowstone.kernel.event.CompensationEvent.CompensationDue;
import dev.flowstone.kernel.event.CompensationEvent.CompensationFailed;
import dev.flowstone.kernel.event.CompensationEvent.CompensationScheduled;
import dev.flowstone.kernel.event.EventBody.TaskScheduled;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Scope;
import org.jspecify.annotations.Nullable;

/** What can be undone, and what becomes of it (R24). */
final class UndoingApplier {
    private UndoingApplier() {}

    static void apply(Draft draft, CompensationEvent compensation) {
        switch (compensation) {
            case CompensationDue body -> draft.undoing = draft.undoing.due(body.scope());
            case CompensationBegan body -> began(draft, body);
            case CompensationScheduled body -> scheduled(draft, body);
            case CompensationApplied body ->
                over(draft, body.activation(), RecordedAnswer.of(new TaskAnswer.Ok(body.output())));
            case CompensationFailed body -> failed(draft, body);
        }
    }

    /** An effect that a task's compensation could undo; on the stack of its scope, or the root's if that is closed. */
    static void done(Draft draft, Activation activation, Payload output) {
        Place place = draft.topology.place(activation.id().node());
        if (draft.status.isFinal()
                || !(place.node() instanceof Node.Task task)
                || task.compensation().isEmpty()
                || draft.undoing.known().get(activation.id()) != null) {
            return;
        }
        int owner = draft.owner(activation);
        UndoStack stack = draft.undoing.stack(owner);
        draft.undoing = draft.undoing
                .knowing(activation.id())
                .stack(owner, stack.push(new UndoEntry.Done(activation.id(), output, activation.earlier())));
    }

    /** A closed scope is one entry on its parent's stack, unless it is the one that is undone. */
    static void closed(Draft draft, ScopeInstance scope) {
        Undoing undoing = draft.undoing;
        UndoStack stack = undoing.stack(scope.number());
        if (stack.isEmpty()) {
            return;
        }
        if (undoing.due() == scope.number()) {
            UndoStack own = scope.branch() == null ? stack : UndoStack.EMPTY.pushAll(stack, scope.branch());
            draft.undoing = undoing.stack(scope.number(), seeing(draft, scope.parent(), own));
        } else {
            UndoStack around = undoing.stack(scope.parent()).pushAll(stack, scope.branch());
            draft.undoing = undoing.stack(scope.number(), UndoStack.EMPTY).stack(scope.parent(), around);
        }
    }

    /**
     * Where a run that can undo anything may go back to: every node that was completed in a flow scope at its root; to a
     * fork by {@link #forked}, to a join by way of its fork only.
     */
    static void mark(Draft draft, Activation activation, Place place, Outcome outcome) {
        if (activation.scope() != ScopeInstance.ROOT
                || !draft.topology.undoes()
                || place.node() instanceof Node.Fork
                || place.node() instanceof Node.Join
                || place.scope().kind() != Scope.Kind.FLOW
                || RoutingApplier.status(outcome) != ActivationStatus.COMPLETED) {
            return;
        }
        UndoStack stack = draft.undoing.stack(ScopeInstance.ROOT);
        boolean own = stack.top() != null
                && stack.top().entry() instanceof UndoEntry.Done done
                && done.activation().equals(activation.id());
        Mark mark = new Mark(draft.lastSequence + 1, own ? stack.size() - 1 : stack.size());
        draft.undoing = draft.undoing.marks(draft.undoing.marks().with(place.number(), mark));
    }

    /** A fork's own effects are those of its branches, which begin now. */
    static void forked(Draft draft, Activation fork, Place place) {
        if (fork.scope() == ScopeInstance.ROOT
                && draft.topology.undoes()
                && place.scope().kind() == Scope.Kind.FLOW) {
            Mark mark = new Mark(
                    draft.lastSequence + 1,
                    draft.undoing.stack(ScopeInstance.ROOT).size());
            draft.undoing = draft.undoing.marks(draft.undoing.marks().with(place.number(), mark));
        }
    }

    private static void began(Draft draft, CompensationBegan body) {
        Undoing undoing = draft.undoing;
        UndoStack stack = undoing.stack(body.scope());
        UndoStack known = undoing.jobs().get(body.scope());
        UndoStack older = seeing(draft, body.scope(), stack.newest(body.entries()));
        UndoStack job = known == null ? older : known.pushAll(older, null);
        draft.undoing =
                undoing.stack(body.scope(), stack.without(body.entries())).job(body.scope(), job);
        if (known == null) {
            Queue.push(draft, new WorkItem.Undo(body.scope()));
        }
        if (draft.ending == Ending.FAILING || draft.ending == Ending.CANCELING) {
            draft.status = RunStatus.COMPENSATING;
        }
    }

    /** The branches around may be closed before its turn comes. */
    private static UndoStack seeing(Draft draft, int scope, UndoStack stack) {
        UndoStack all = stack;
        for (int at = scope; at > ScopeInstance.ROOT; at = Scopes.parent(draft, at)) {
            ScopeInstance around = draft.tree.scopes.get(at);
            if (around != null && around.branch() != null) {
                all = UndoStack.EMPTY.pushAll(all, around.branch());
            }
        }
        return all;
    }

    /** The head of the work list names the scope instance. */
    private static void scheduled(Draft draft, CompensationScheduled body) {
        if (!(draft.head() instanceof WorkItem.Undo item)) {
            return;
        }
        UndoStack job = draft.undoing.jobs().get(item.scope());
        UndoStack.Popped popped = job == null ? null : job.pop();
        Queue.pop(draft);
        if (popped != null) {
            draft.undoing = draft.undoing
                    .job(item.scope(), popped.left())
                    .running(new Undo(
                            body.activation(),
                            item.scope(),
                            body.key(),
                            popped.effect().done().output(),
                            0,
                            null,
                            false));
        }
    }

    static void attempted(Draft draft, TaskScheduled body) {
        Undo undo = draft.undoing.running().get(body.activation());
        if (undo == null) {
            return;
        }
        Undo attempted = undo.attempted(body.attempt(), body.input().orElse(null));
        draft.undoing = draft.undoing.running(attempted);
        Payload input = attempted.input() == null ? Payload.of(JsonNull.NULL) : attempted.input();
        closeAttempt(draft, body.activation());
        draft.undoing = draft.undoing.attempts(1);
        draft.attempts = draft.attempts.with(
                body.activation(),
                new Attempt(
                        body.activation(), body.attempt(), body.handler(), input, body.timeout(), undo.key(), false));
    }

    static void closeAttempt(Draft draft, ActivationId id) {
        if (draft.attempts.get(id) != null) {
            draft.attempts = draft.attempts.without(id);
            if (id.isUndoing()) {
                draft.undoing = draft.undoing.attempts(-1);
            }
        }
    }

    private static void over(Draft draft, ActivationId id, @Nullable RecordedAnswer answer) {
        Undo undo = draft.undoing.running().get(id);
        if (undo == null) {
            return;
        }
        closeAttempt(draft, id);
        draft.waits++;
        draft.undoing = draft.undoing.finished(id, answer);
        HumanApplier.attested(draft, id.toString());
        next(draft, undo.scope());
    }

    private static void next(Draft draft, int scope) {
        UndoStack left = draft.undoing.jobs().get(scope);
        if (left == null || left.isEmpty()) {
            draft.undoing = draft.undoing.withoutJob(scope);
        } else {
            Queue.push(draft, new WorkItem.Undo(scope));
        }
    }

    /** It waits for a person's word, unless the run is being terminated: then nothing more is undone. */
    private static void failed(Draft draft, CompensationFailed body) {
        Undo undo = draft.undoing.running().get(body.activation());
        if (undo == null) {
            return;
        }
        closeAttempt(draft, body.activation());
        draft.undoing = draft.ending == Ending.KILLED
                ? draft.undoing.finished(body.activation(), null).withoutJob(undo.scope())
                : draft.undoing.running(undo.asking());
    }

    /** A person is asked; if that is about something that is being undone, it waits for the answer. */
    static void asked(Draft draft, Attestation attestation) {
        Undo undo = undoing(draft, attestation);
        if (undo != null) {
            draft.undoing = draft.undoing.running(undo.asking());
        }
    }

    /** The person's word ends it. */
    static void attested(Draft draft, Attestation attestation) {
        Undo undo = undoing(draft, attestation);
        if (undo != null) {
            over(draft, undo.activation(), null);
        }
    }

    private static @Nullable Undo undoing(Draft draft, Attestation attestation) {
        return attestation
                .activation()
                .filter(id -> id.toString().equals(attestation.id()))
                .map(draft.undoing.running()::get)
                .orElse(null);
    }

    /** A final run undoes nothing any more, and nothing holds it. */
    static void forget(Draft draft) {
        draft.control = draft.control.free();
        Undoing undoing = draft.undoing;
        draft.undoing = new Undoing(
                Undoing.NONE.stacks(),
                Undoing.NONE.jobs(),
                Undoing.NONE.running(),
                0,
                Undoing.NOBODY,
                Undoing.NONE.known(),
                undoing.over(),
                Undoing.NONE.marks());
    }
}
