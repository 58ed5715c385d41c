package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.CompensationEvent.AttestationGiven;
import dev.flowstone.kernel.event.CompensationEvent.AttestationRequested;
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
            case AttestationRequested body -> requested(draft, body);
            case AttestationGiven body -> given(draft, body);
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
                .stack(owner, stack.push(new UndoEntry.Done(activation.id(), output)));
    }

    /** A closed scope is one entry on its parent's stack, unless it is the one that is undone. */
    static void closed(Draft draft, ScopeInstance scope) {
        Undoing undoing = draft.undoing;
        UndoStack stack = undoing.stack(scope.number());
        if (!stack.isEmpty() && undoing.due() != scope.number()) {
            UndoStack around = undoing.stack(scope.parent()).pushAll(stack);
            draft.undoing = undoing.stack(scope.number(), UndoStack.EMPTY).stack(scope.parent(), around);
        }
    }

    /** Where a run that can undo anything may go back to: every node that was completed in a flow scope at its root. */
    static void mark(Draft draft, Activation activation, Place place, Outcome outcome) {
        if (activation.scope() != ScopeInstance.ROOT
                || !draft.topology.undoes()
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

    private static void began(Draft draft, CompensationBegan body) {
        Undoing undoing = draft.undoing;
        UndoStack stack = undoing.stack(body.scope());
        UndoStack known = undoing.jobs().get(body.scope());
        UndoStack older = stack.newest(body.entries());
        UndoStack job = known == null ? older : known.pushAll(older);
        draft.undoing =
                undoing.stack(body.scope(), stack.without(body.entries())).job(body.scope(), job);
        if (known == null) {
            Queue.push(draft, new WorkItem.Undo(body.scope()));
        }
        if (draft.ending == Ending.FAILING || draft.ending == Ending.CANCELING) {
            draft.status = RunStatus.COMPENSATING;
        }
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
                            popped.done().output(),
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
        draft.undoing = draft.undoing.with(draft.undoing.attestations().without(id.toString()));
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

    private static void requested(Draft draft, AttestationRequested body) {
        Attestation attestation = new Attestation(body.attestation(), body.activation(), body.instructions());
        Undo undo = draft.undoing.running().get(body.activation());
        if (undo != null) {
            draft.undoing = draft.undoing.running(undo.asking());
        }
        draft.undoing = draft.undoing.with(draft.undoing.attestations().with(body.attestation(), attestation));
    }

    private static void given(Draft draft, AttestationGiven body) {
        Attestation attestation = draft.undoing.attestations().get(body.attestation());
        if (attestation != null) {
            draft.undoing = draft.undoing.with(draft.undoing.attestations().without(body.attestation()));
            over(draft, attestation.activation(), null);
        }
    }

    /** A final run undoes nothing any more, and nothing holds it. */
    static void forget(Draft draft) {
        draft.control = draft.control.with((Suspension) null);
        Undoing undoing = draft.undoing;
        draft.undoing = new Undoing(
                Undoing.NONE.stacks(),
                Undoing.NONE.jobs(),
                Undoing.NONE.running(),
                0,
                Undoing.NOBODY,
                Undoing.NONE.known(),
                undoing.over(),
                undoing.attestations(),
                Undoing.NONE.marks());
    }
}
