package dev.flowstone.server.subscription;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that all pages of a node may have together. Who takes some gets a share of what is left, and a little in any case, so that those
 * that wait for places that are down don't hold up the others. Thread-safe.
 */
final class PageRoom {
    private static final int SHARE = 8;

    private final AtomicLong left;
    private final long least;
    private final long most;

    /**
     * Room for so many bytes.
     *
     * @param least bytes of one page, however little is left
     * @param most bytes of one page
     */
    PageRoom(long bytes, long least, long most) {
        this.left = new AtomicLong(bytes);
        this.least = least;
        this.most = most;
    }

    /** Bytes for a page, to be given back. */
    long take() {
        long before = left.getAndUpdate(bytes -> bytes - share(bytes));
        return share(before);
    }

    private long share(long bytes) {
        return Math.clamp(bytes / SHARE, least, most);
    }

    /** What wasn't used after all, or isn't any more; less than nothing is what was used beyond what was taken. */
    void giveBack(long bytes) {
        left.addAndGet(bytes);
    }

    long left() {
        return left.get();
    }
}
