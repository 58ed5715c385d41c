package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;
import java.util.List;

/**
 * What came of an attempt, on its way to a server.
 *
 * @param success a failure of an attempt that its server has given up on is no news; a success is
 * @param replacing whether it stands for one that the server couldn't take
 * @param alone whether it shares no call, because a call that it was part of was refused as a whole
 * @param turn how many servers were asked in vain: the one that handed it out comes first, the others after it
 * @param failures refusals of this answer alone, in a row
 * @param notBefore when it may be told again, by {@link System#nanoTime}
 */
@SuppressWarnings("ArrayRecordComponent")
record Answer(
        Held held,
        byte[] bytes,
        boolean success,
        boolean replacing,
        boolean alone,
        int turn,
        int failures,
        long notBefore) {
    Answer {
        requireNonNull(held);
        requireNonNull(bytes);
    }

    static Answer of(Held held, byte[] bytes, boolean success) {
        return new Answer(held, bytes, success, false, false, 0, 0, System.nanoTime());
    }

    /** The one that handed it out; the others in turn while that one doesn't take it: its shard may have moved. */
    Server server(List<Server> servers) {
        return servers.get(Math.floorMod(servers.indexOf(held.server) + turn, servers.size()));
    }

    /** At once, to the next server: it was the call that failed, not this answer. */
    Answer elsewhere() {
        return new Answer(held, bytes, success, replacing, alone, turn + 1, failures, notBefore);
    }

    Answer byItself() {
        return new Answer(held, bytes, success, replacing, true, turn, failures, notBefore);
    }

    /** Refused for now. */
    Answer after(long nanos, boolean otherServer) {
        return new Answer(
                held,
                bytes,
                success,
                replacing,
                alone,
                otherServer ? turn + 1 : turn,
                failures + 1,
                System.nanoTime() + nanos);
    }

    /** A failure that stands for it. */
    Answer replaced(byte[] failure) {
        return new Answer(held, failure, false, true, false, turn, 0, System.nanoTime());
    }
}
