package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Carried;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Canceling;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.Mark;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.UndoStack;
import dev.flowstone.kernel.state.WorkItem;
import java.util.Optional;

/**
 * Undoes what was done, newest first, one at a time in each scope instance (R24). What undoes a task is work like a task's,
 * under a name of its own; it is never undone itself.
 */
final class Compensating {
    private Compensating() {}

    /** Undoes everything that was done in this scope instance so far, also while the run goes on. */
    static void scope(Deciding deciding, int number) {
        newest(deciding, number, deciding.state().undoing().stack(number).size());
    }

    private static void newest(Deciding deciding, int number, int entries) {
        if (entries > 0) {
            deciding.emit(new CompensationEvent.CompensationBegan(number, entries));
        }
    }

    /**
     * Begins what is to be undone when everything that lived has ended, and nothing is being undone any more. Whether there
     * is anything.
     */
    static boolean begins(Deciding deciding) {
        Draft state = deciding.state();
        int scope = state.undoing().due();
        int keep = 0;
        if (state.ending() == Ending.ROLLING_BACK) {
            scope = 0;
            keep = depth(state);
        }
        int entries = scope < 0 ? 0 : state.undoing().stack(scope).size() - keep;
        newest(deciding, scope, entries);
        return entries > 0;
    }

    private static int depth(Draft state) {
        var node = state.control().mark();
        Mark mark = node == null
                ? null
                : state.undoing().marks().get(state.topology().place(node).number());
        return mark == null ? 0 : mark.depth();
    }

    /**
     * A success that nobody waited for any more is undone too, if it can be (R12). What a person still decides about, because
     * its failure is parked, is undone with the rest of its scope, if ever: tried again it may succeed once more.
     */
    static void observed(Deciding deciding, Activation activation) {
        Draft state = deciding.state();
        Optional<Compensation> compensation = compensation(state, activation.id());
        Canceling canceling = state.control().canceling();
        boolean keeps = canceling != null && !canceling.undoes();
        if (compensation.isEmpty() || keeps || !activation.status().isFinal()) {
            return;
        }
        if (state.status().isFinal()) {
            ask(deciding, activation.id(), "it succeeded when its run had ended, and nothing undoes it any more");
            return;
        }
        int owner = state.owner(activation);
        boolean later = isDue(state, owner) || state.ending() == Ending.ROLLING_BACK;
        if (!later) {
            newest(deciding, owner, 1);
        }
    }

    /** Whether what was done in a scope is undone when everything has ended: it, or any scope around it, is due (R23). */
    private static boolean isDue(Draft state, int owner) {
        int due = state.undoing().due();
        ScopeInstance around = state.tree().scope(owner);
        while (around != null && around.number() != due) {
            around = state.tree().scope(around.parent());
        }
        return around != null || due == owner;
    }

    /** The next one's turn has come. */
    static void next(Deciding deciding, WorkItem.Undo item) {
        Draft state = deciding.state();
        UndoStack job = state.undoing().jobs().get(item.scope());
        UndoStack.Effect effect = job == null ? null : job.peek();
        if (effect == null) {
            throw new IllegalStateException("nothing is left to undo: " + item);
        }
        ActivationId id = effect.done().activation().opposite();
        deciding.emit(new CompensationEvent.CompensationScheduled(
                id, Keys.of(state.run().orElseThrow(), id, Optional.empty())));
        Optional<Compensation> compensation = compensation(state, id);
        if (compensation.isEmpty()) {
            deciding.emit(new CompensationEvent.CompensationApplied(id, 0, Payload.of(JsonObject.EMPTY)));
            return;
        }
        switch (compensation.get()) {
            case Compensation.ByHandler by -> first(deciding, by, id, effect);
            case Compensation.Attested attested -> ask(deciding, id, attested.instructions());
        }
    }

    /** The input is rendered once, on what the undone activation had answered. */
    private static void first(Deciding deciding, Compensation.ByHandler by, ActivationId id, UndoStack.Effect effect) {
        switch (deciding.render(by.input(), effect)) {
            case Rendering.Failed failed -> failed(deciding, id, Dispatching.templateError(failed));
            case Rendering.Rendered rendered -> {
                try {
                    Carried input = deciding.carry(rendered.value());
                    deciding.emit(new EventBody.TaskScheduled(
                            id, 1, by.handler(), Optional.of(input.payload()), by.timeout()));
                    deciding.keep(input);
                } catch (Carried.TooLargeException e) {
                    failed(deciding, id, TaskError.of("INPUT_TOO_LARGE", "the input is " + e.getMessage()));
                }
            }
        }
    }

    /** Another attempt, with the same input. */
    static void again(Deciding deciding, Compensation.ByHandler by, ActivationId id, int number) {
        if (deciding.state().undoing().running().get(id) != null) {
            deciding.emit(new EventBody.TaskScheduled(id, number, by.handler(), Optional.empty(), by.timeout()));
        }
    }

    /** For good: from here on it is a person's. */
    static void failed(Deciding deciding, ActivationId id, TaskError error) {
        deciding.emit(new CompensationEvent.CompensationFailed(id, error));
        ask(deciding, id, "undoing " + id.opposite() + " failed: " + error.code());
    }

    private static void ask(Deciding deciding, ActivationId id, String instructions) {
        Attesting.request(deciding, id.toString(), instructions, Optional.of(id));
    }

    static Optional<Compensation> compensation(Draft state, ActivationId id) {
        return state.topology().find(id.node().value()) != null
                        && state.program().node(id.node()) instanceof Node.Task task
                ? task.compensation()
                : Optional.empty();
    }
}
