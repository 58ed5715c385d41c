package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be undone, is being undone, and was undone (R24). Immutable.
 *
 * @param stacks what was done, by number of the scope instance; a closed one's is an entry on its parent's
 * @param jobs what is still to be undone now, one after another, by number of the scope instance; an empty one while its
 *     last one runs
 * @param running the undoings whose turn has come, at most one for each job
 * @param attempts how many of the run's open attempts belong to these
 * @param due the scope instance whose stack is undone when the run ends; -1 if none
 * @param known activations whose effects were put on a stack, whatever became of them: none is put there twice
 * @param over answers of undoings that are over
 * @param marks points to roll back to, by number of the node
 */
public record Undoing(
        LongMap<UndoStack> stacks,
        LongMap<UndoStack> jobs,
        SortedTree<ActivationId, Undo> running,
        int attempts,
        int due,
        SortedTree<ActivationId, ActivationId> known,
        SortedTree<ActivationId, Over> over,
        LongMap<Mark> marks) {
    static final int NOBODY = -1;
    static final Undoing NONE = new Undoing(
            LongMap.empty(),
            LongMap.empty(),
            SortedTree.empty(),
            0,
            NOBODY,
            SortedTree.empty(),
            SortedTree.empty(),
            LongMap.empty());

    /** An undoing that is over, and the answer that ended it. */
    public record Over(ActivationId activation, RecordedAnswer answer) {}

    public UndoStack stack(int scope) {
        UndoStack known = stacks.get(scope);
        return known == null ? UndoStack.EMPTY : known;
    }

    /** Whether nothing is being undone. */
    public boolean isIdle() {
        return jobs.isEmpty();
    }

    /** One of the undoings whose turn has come, or null. */
    public @Nullable Undo first() {
        ActivationId key = running.firstKey();
        return key == null ? null : running.get(key);
    }

    /** Everything that could still be undone, in no particular order; costs time linear in it. */
    public List<UndoEntry.Done> effects() {
        List<UndoEntry.Done> effects = new ArrayList<>();
        stacks.values().forEach(stack -> stack.collect(effects));
        return effects;
    }

    /** Whether an effect could still be undone, or waits for its turn; costs time linear in all that could. */
    public boolean isDue(ActivationId activation) {
        List<UndoEntry.Done> waiting = effects();
        jobs.values().forEach(job -> job.collect(waiting));
        return waiting.stream().anyMatch(done -> done.activation().equals(activation));
    }

    Undoing stack(int scope, UndoStack stack) {
        return with(stack.isEmpty() ? stacks.without(scope) : stacks.with(scope, stack), jobs, running);
    }

    Undoing job(int scope, UndoStack left) {
        return with(stacks, jobs.with(scope, left), running);
    }

    Undoing withoutJob(int scope) {
        return with(stacks, jobs.without(scope), running);
    }

    Undoing running(Undo undo) {
        return with(stacks, jobs, running.with(undo.activation(), undo));
    }

    Undoing finished(ActivationId activation, @Nullable RecordedAnswer answer) {
        return new Undoing(
                stacks,
                jobs,
                running.without(activation),
                attempts,
                due,
                known,
                answer == null ? over : over.with(activation, new Over(activation, answer)),
                marks);
    }

    Undoing attempts(int change) {
        return new Undoing(stacks, jobs, running, attempts + change, due, known, over, marks);
    }

    Undoing knowing(ActivationId activation) {
        return new Undoing(stacks, jobs, running, attempts, due, known.with(activation, activation), over, marks);
    }

    Undoing due(int scope) {
        return new Undoing(stacks, jobs, running, attempts, scope, known, over, marks);
    }

    Undoing marks(LongMap<Mark> changed) {
        return new Undoing(stacks, jobs, running, attempts, due, known, over, changed);
    }

    Undoing with(LongMap<UndoStack> done, LongMap<UndoStack> undone, SortedTree<ActivationId, Undo> turns) {
        return new Undoing(done, undone, turns, attempts, due, known, over, marks);
    }
}
