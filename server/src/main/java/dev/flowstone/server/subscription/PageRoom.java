package dev.flowstone.server.subscription;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that all pages of a node may have together. Who takes some gets a share of what is left, so that it grows scarce but never runs
 * out, however many pages wait for places that are down. Thread-safe.
 */
final class PageRoom {
    private static final int SHARE = 8;

    private final AtomicLong left;
    private final long most;

    /**
     * Room for so many bytes.
     *
     * @param most bytes of one page
     */
    PageRoom(long bytes, long most) {
        this.left = new AtomicLong(bytes);
        this.most = most;
    }

    /** Bytes for a page, to be given back; none if there is hardly anything left. */
    long take() {
        long before = left.getAndUpdate(bytes -> bytes - share(bytes));
        return share(before);
    }

    private long share(long bytes) {
        return Math.clamp(bytes / SHARE, 0, most);
    }

    /** What wasn't used after all, or isn't any more; less than nothing is what was used beyond what was taken. */
    void giveBack(long bytes) {
        left.addAndGet(bytes);
    }

    long left() {
        return left.get();
    }
}
