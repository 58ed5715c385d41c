package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.payload.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was done in one scope instance and can be undone, the newest on top (R24). Persistent: pushing and popping leave
 * this stack as it is.
 *
 * @param size entries in it; a closed scope counts as one
 */
public record UndoStack(@Nullable Link top, int size) {
    static final UndoStack EMPTY = new UndoStack(null, 0);

    /** One entry and those under it. */
    record Link(UndoEntry entry, @Nullable Link below) {}

    /**
     * An effect, and what its task could see of the branches around it.
     *
     * @param branches innermost first, as they were when they ended or when the undoing began
     */
    public record Effect(UndoEntry.Done done, List<BranchState> branches) {
        public Effect {
            branches = List.copyOf(branches);
        }

        /** The innermost branch that was opened for an element of a collection; null if none was. */
        public @Nullable BranchState item() {
            for (BranchState branch : branches) {
                if (branch.item() != null) {
                    return branch;
                }
            }
            return null;
        }

        /** What nodes had produced in these branches, innermost first, by number. */
        public List<LongMap<Payload>> results() {
            return branches.stream().map(BranchState::results).toList();
        }

        private Effect in(@Nullable BranchState around) {
            if (around == null) {
                return this;
            }
            List<BranchState> all = new ArrayList<>(branches);
            all.add(around);
            return new Effect(done, all);
        }
    }

    /** The newest effect, and what is left without it. */
    record Popped(Effect effect, UndoStack left) {}

    public boolean isEmpty() {
        return top == null;
    }

    UndoStack push(UndoEntry entry) {
        return new UndoStack(new Link(entry, top), size + 1);
    }

    /** As one entry on another stack; nothing if it is empty. */
    UndoStack pushAll(UndoStack closed, @Nullable BranchState branch) {
        return closed.isEmpty() ? this : push(new UndoEntry.Closed(closed, branch));
    }

    /** The newest effect, from inside closed scopes as well; null if there is none. */
    @Nullable
    Popped pop() {
        if (top == null) {
            return null;
        }
        UndoStack below = new UndoStack(top.below(), size - 1);
        return switch (top.entry()) {
            case UndoEntry.Done done -> new Popped(new Effect(done, List.of()), below);
            case UndoEntry.Closed closed -> {
                Popped inner = closed.stack().pop();
                yield inner == null
                        ? below.pop()
                        : new Popped(inner.effect().in(closed.branch()), below.pushAll(inner.left(), closed.branch()));
            }
        };
    }

    /** The newest effect; null if there is none. */
    public @Nullable Effect peek() {
        Popped popped = pop();
        return popped == null ? null : popped.effect();
    }

    /** Without the newest entries. */
    UndoStack without(int entries) {
        Link at = top;
        int left = size;
        for (int i = 0; i < entries && at != null; i++) {
            at = at.below();
            left--;
        }
        return new UndoStack(at, left);
    }

    /** The newest entries alone. */
    UndoStack newest(int entries) {
        if (entries >= size) {
            return this;
        }
        UndoStack newest = EMPTY;
        for (UndoEntry entry : entries().subList(0, entries).reversed()) {
            newest = newest.push(entry);
        }
        return newest;
    }

    /** The newest first. */
    List<UndoEntry> entries() {
        List<UndoEntry> entries = new ArrayList<>(size);
        for (Link at = top; at != null; at = at.below()) {
            entries.add(at.entry());
        }
        return entries;
    }

    void collect(List<UndoEntry.Done> into) {
        for (UndoEntry entry : entries()) {
            switch (entry) {
                case UndoEntry.Done done -> into.add(done);
                case UndoEntry.Closed closed -> closed.stack().collect(into);
            }
        }
    }
}
