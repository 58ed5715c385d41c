package dev.flowstone.server.execution;

/** Which of the things that a fold meets, one after another, it keeps: a page of them. Not thread-safe. */
public final class Window {
    private final long after;
    private final int limit;
    private int skip;
    private int taken;
    private boolean more;

    /**
     * A window that has taken nothing yet.
     *
     * @param after number of an event; what began later is meant
     * @param skip how many of those are passed over
     * @param limit how many are taken then
     */
    public Window(long after, int skip, int limit) {
        this.after = after;
        this.skip = skip;
        this.limit = limit;
    }

    /** Whether the next thing, which began with the event of this number, is kept. */
    boolean takes(long sequence) {
        if (sequence <= after) {
            return false;
        }
        if (skip > 0) {
            skip--;
            return false;
        }
        if (taken == limit) {
            more = true;
            return false;
        }
        taken++;
        return true;
    }

    /** Whether there was more than was taken. */
    boolean more() {
        return more;
    }
}
