package dev.flowstone.engine.limit;

/** Whose turn it is while work of both classes waits: each fourth turn is bulk work's, and every one that others leave. Not thread-safe. */
public final class Turns {
    private static final int ROUND = 4;

    private int turn;

    /** Takes a turn, of a class of which something waits. */
    public WorkClass next(boolean sensitive, boolean bulk) {
        if (!bulk || !sensitive) {
            return bulk ? WorkClass.BULK : WorkClass.LATENCY_SENSITIVE;
        }
        turn = (turn + 1) % ROUND;
        return turn == 0 ? WorkClass.BULK : WorkClass.LATENCY_SENSITIVE;
    }
}
