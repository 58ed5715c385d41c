package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;

/**
 * What came of an attempt, on its way to a server.
 *
 * @param success a failure of an attempt that its server has given up on is no news; a success is
 * @param replacing whether it stands for one that the server couldn't take
 * @param company how many answers share a call with it at most, itself included: fewer each time that such a call fails as a
 *     whole, until it is known whether it was this one's fault
 * @param server which to tell: the one that handed it out comes first, the others after it
 * @param failures refusals of this answer alone, in a row
 * @param kept whether its run was suspended when it was last told
 * @param notBefore when it may be told again, by {@link System#nanoTime}
 */
@SuppressWarnings("ArrayRecordComponent")
record Answer(
        Held held,
        byte[] bytes,
        boolean success,
        boolean replacing,
        int company,
        Server server,
        int failures,
        boolean kept,
        long notBefore) {
    Answer {
        requireNonNull(held);
        requireNonNull(bytes);
        requireNonNull(server);
        if (company < 1) {
            throw new IllegalArgumentException("an answer shares a call at least with itself");
        }
    }

    static Answer of(Held held, byte[] bytes, boolean success) {
        return new Answer(held, bytes, success, false, Integer.MAX_VALUE, held.server, 0, false, System.nanoTime());
    }

    /** At once: it was the call that failed, and perhaps not for this answer. */
    Answer again(Server next, int most) {
        return new Answer(
                held, bytes, success, replacing, Math.clamp(most, 1, company), next, failures, kept, notBefore);
    }

    /** Refused for now. */
    Answer after(long nanos, Server next, boolean suspended) {
        return new Answer(
                held, bytes, success, replacing, company, next, failures + 1, suspended, System.nanoTime() + nanos);
    }

    /** Whether calls fail as a whole for its sake, as far as anybody can tell. */
    boolean isSuspect() {
        return company == 1 && failures > 0;
    }

    /** A failure that stands for it. */
    Answer replaced(byte[] failure) {
        return new Answer(held, failure, false, true, company, server, 0, false, System.nanoTime());
    }
}
