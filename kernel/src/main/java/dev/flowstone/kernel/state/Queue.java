package dev.flowstone.kernel.state;

import org.jspecify.annotations.Nullable;

/** The work list of a draft. What stands on it keeps its scope alive, but for what judges or closes the scope. */
final class Queue {
    /**
     * Key of the first item on an empty list: there is room before it for what goes first, of which there are at most
     * two at any time (a fork's opening of branches, and the closing of what a fired join leaves behind).
     */
    private static final int FIRST = 8;

    private Queue() {}

    static void push(Draft draft, WorkItem item) {
        if (draft.queue.isEmpty()) {
            draft.nextItem = FIRST;
        }
        put(draft, draft.nextItem++, item);
        if (countsAlive(item)) {
            Scopes.alive(draft, item.scope(), 1);
        }
    }

    /** The same, unless an equal item is on the list. For what operators cause: it looks through the list. */
    static void pushOnce(Draft draft, WorkItem item) {
        if (find(draft, item) < 0) {
            push(draft, item);
        }
    }

    /** Key of the oldest equal item, or -1. */
    static long find(Draft draft, WorkItem item) {
        if (draft.queue.isEmpty()) {
            return -1;
        }
        for (long key = draft.queue.firstKey(); key >= 0; key = draft.queue.nextKey(key)) {
            if (item.equals(draft.queue.get(key))) {
                return key;
            }
        }
        return -1;
    }

    /** Puts it before all others: it is part of what is being done. */
    static void pushFirst(Draft draft, WorkItem item) {
        if (draft.queue.isEmpty()) {
            push(draft, item);
            return;
        }
        long key = draft.queue.firstKey() - 1;
        if (key < 0) {
            renumber(draft);
            key = FIRST - 1;
        }
        put(draft, key, item);
        if (countsAlive(item)) {
            Scopes.alive(draft, item.scope(), 1);
        }
    }

    /** As a snapshot tells it: in order; whom it keeps alive is told as well. */
    static void restore(Draft draft, WorkItem item) {
        if (draft.queue.isEmpty()) {
            draft.nextItem = FIRST;
        }
        put(draft, draft.nextItem++, item);
    }

    /** Takes the first item off; its scope may end by that. */
    static void pop(Draft draft) {
        remove(draft, draft.queue.firstKey());
    }

    static void remove(Draft draft, long key) {
        WorkItem item = key < 0 ? null : draft.queue.get(key);
        if (item == null) {
            return;
        }
        draft.queue = draft.queue.without(key);
        unindex(draft, item, key);
        draft.weight -= Weight.ITEM;
        if (countsAlive(item)) {
            Scopes.alive(draft, item.scope(), -1);
        }
    }

    /** Puts another item in the first one's place; what either keeps alive is the caller's to count. */
    static void replaceHead(Draft draft, WorkItem item) {
        long key = draft.queue.firstKey();
        WorkItem before = draft.queue.get(key);
        if (before != null) {
            unindex(draft, before, key);
        }
        draft.queue = draft.queue.with(key, item);
        index(draft, item, key);
    }

    /** Key of the oldest item after the first that belongs to this nested scope instance, or -1. */
    static long firstBehindHead(Draft draft, int scope) {
        return draft.queue.isEmpty() ? -1 : draft.queued.next(scope, draft.queue.firstKey());
    }

    private static void put(Draft draft, long key, WorkItem item) {
        draft.queue = draft.queue.with(key, item);
        index(draft, item, key);
        draft.weight += Weight.ITEM;
    }

    /** What isn't a scope's own work is not found in it, and so not dropped with it. */
    private static void index(Draft draft, WorkItem item, long key) {
        if (!isControl(item)) {
            draft.queued = draft.queued.with(item.scope(), key);
        }
    }

    private static void unindex(Draft draft, WorkItem item, long key) {
        if (!isControl(item)) {
            draft.queued = draft.queued.without(item.scope(), key);
        }
    }

    private static void renumber(Draft draft) {
        Draft copy = new Draft(draft);
        for (long key = copy.queue.firstKey(); key >= 0; key = copy.queue.nextKey(key)) {
            @Nullable WorkItem item = copy.queue.get(key);
            if (item != null) {
                draft.queue = draft.queue.without(key);
                unindex(draft, item, key);
                draft.weight -= Weight.ITEM;
            }
        }
        copy.queue.values().forEach(item -> restore(draft, item));
    }

    /** What isn't the scope's own work and so isn't dropped with it. */
    static boolean isControl(WorkItem item) {
        return switch (item) {
            case WorkItem.Undo _, WorkItem.Release _ -> true;
            case WorkItem.Enter _,
                    WorkItem.Skip _,
                    WorkItem.Route _,
                    WorkItem.Exit _,
                    WorkItem.Settle _,
                    WorkItem.Fan _,
                    WorkItem.Fire _ -> false;
        };
    }

    /** A routing's activation is alive by itself, and a scope is judged because nothing in it is alive. */
    private static boolean countsAlive(WorkItem item) {
        return switch (item) {
            case WorkItem.Enter _, WorkItem.Skip _, WorkItem.Exit _, WorkItem.Fan _, WorkItem.Fire _ -> true;
            case WorkItem.Route _, WorkItem.Settle _ -> false;
            case WorkItem.Undo _, WorkItem.Release _ -> false;
        };
    }
}
