package dev.flowstone.kernel.state;

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

    /** The newest effect, and what is left without it. */
    record Popped(UndoEntry.Done done, UndoStack left) {}

    public boolean isEmpty() {
        return top == null;
    }

    UndoStack push(UndoEntry entry) {
        return new UndoStack(new Link(entry, top), size + 1);
    }

    /** As one entry on another stack; nothing if it is empty. */
    UndoStack pushAll(UndoStack closed) {
        return closed.isEmpty() ? this : push(new UndoEntry.Closed(closed));
    }

    /** The newest effect, from inside closed scopes as well; null if there is none. */
    @Nullable
    Popped pop() {
        if (top == null) {
            return null;
        }
        UndoStack below = new UndoStack(top.below(), size - 1);
        return switch (top.entry()) {
            case UndoEntry.Done done -> new Popped(done, below);
            case UndoEntry.Closed closed -> {
                Popped inner = closed.stack().pop();
                yield inner == null ? below.pop() : new Popped(inner.done(), below.pushAll(inner.left()));
            }
        };
    }

    /** The newest effect; null if there is none. */
    public UndoEntry.@Nullable Done peek() {
        Popped popped = pop();
        return popped == null ? null : popped.done();
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
