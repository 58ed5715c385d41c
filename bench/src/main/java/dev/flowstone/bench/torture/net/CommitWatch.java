package dev.flowstone.bench.torture.net;

import java.nio.charset.StandardCharsets;

/**
 * Follows what one connection asks PostgreSQL and is answered, as far as is needed to know which answer is that of a commit:
 * the connection has named the commit's function before (once a statement is prepared, it never does again), the request
 * was as long as only commits are, and the answer says that no transaction is open.
 */
final class CommitWatch {
    private static final byte[] FUNCTION = "flowstone.commit_".getBytes(StandardCharsets.US_ASCII);

    /** Its 96 parameters take more than four bytes each; what is read takes a few ids. */
    private static final int SHORTEST = 600;

    /** ReadyForQuery, idle (PostgreSQL, <i>Message Formats</i>). */
    private static final byte[] READY = {'Z', 0, 0, 0, 5, 'I'};

    private boolean commits;
    private int matched;
    private long asked;

    /** The client says this. */
    synchronized void asks(byte[] bytes, int length) {
        asked += length;
        for (int i = 0; i < length && !commits; i++) {
            matched = bytes[i] == FUNCTION[matched] ? matched + 1 : bytes[i] == FUNCTION[0] ? 1 : 0;
            commits = matched == FUNCTION.length;
        }
    }

    /** The server says this; whether it ends the answer to a commit. */
    synchronized boolean isCommitted(byte[] bytes, int length) {
        if (!endsReady(bytes, length)) {
            return false;
        }
        boolean committed = commits && asked >= SHORTEST;
        asked = 0;
        return committed;
    }

    private static boolean endsReady(byte[] bytes, int length) {
        for (int i = 0; i < READY.length; i++) {
            if (length < READY.length || bytes[length - READY.length + i] != READY[i]) {
                return false;
            }
        }
        return true;
    }
}
