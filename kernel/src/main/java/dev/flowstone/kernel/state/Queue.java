package dev.flowstone.kernel.state;

/** The work list of a draft. What stands on it keeps its scope alive, but for what judges or closes the scope. */
final class Queue {
    private Queue() {}

    static void push(Draft draft, WorkItem item) {
        if (draft.queue.isEmpty()) {
            draft.nextItem = 0;
        }
        draft.queue = draft.queue.with(draft.nextItem++, item);
        draft.weight += Weight.ITEM;
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
        draft.weight -= Weight.ITEM;
        if (countsAlive(item)) {
            Scopes.alive(draft, item.scope(), -1);
        }
    }

    /** Puts another item in the first one's place. */
    static void replaceHead(Draft draft, WorkItem item) {
        draft.queue = draft.queue.with(draft.queue.firstKey(), item);
    }

    /** Key of the oldest item after the first that belongs to this scope instance, or -1. */
    static long firstBehindHead(Draft draft, int scope) {
        if (draft.queue.isEmpty()) {
            return -1;
        }
        for (long key = draft.queue.nextKey(draft.queue.firstKey()); key >= 0; key = draft.queue.nextKey(key)) {
            WorkItem item = draft.queue.get(key);
            if (item != null && item.scope() == scope && !isControl(item)) {
                return key;
            }
        }
        return -1;
    }

    /** What isn't the scope's own work and so isn't dropped with it. */
    static boolean isControl(WorkItem item) {
        return switch (item) {
            case WorkItem.Undo _, WorkItem.Release _ -> true;
            case WorkItem.Enter _, WorkItem.Skip _, WorkItem.Route _, WorkItem.Exit _, WorkItem.Settle _ -> false;
        };
    }

    /** A routing's activation is alive by itself, and a scope is judged because nothing in it is alive. */
    private static boolean countsAlive(WorkItem item) {
        return switch (item) {
            case WorkItem.Enter _, WorkItem.Skip _, WorkItem.Exit _ -> true;
            case WorkItem.Route _, WorkItem.Settle _ -> false;
            case WorkItem.Undo _, WorkItem.Release _ -> false;
        };
    }
}
