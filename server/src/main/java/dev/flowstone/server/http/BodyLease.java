package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;

/**
 * What one call's body takes of the room for bodies: as much as has arrived, never what was announced, so that a slow sender
 * holds no more than it has sent. The first bytes are free: calls are bounded in number, and a small body always fits. Closed
 * when the call is answered, since what is made of a body lives as long. Belongs to its thread.
 */
final class BodyLease implements AutoCloseable {
    /** So many bytes of each body need no room. */
    static final int FREE = 16 << 10;

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Room room;
    private final TenantId tenant;
    private long held;

    BodyLease(Room room, TenantId tenant) {
        this.room = requireNonNull(room);
        this.tenant = requireNonNull(tenant);
    }

    /** So many more bytes are to be kept. */
    void grow(long bytes) throws ProblemException {
        if (!room.take(tenant, bytes)) {
            throw Problem.of(
                            ProblemCode.BUSY,
                            "too many long bodies are being read at once; try again, or send less than " + FREE
                                    + " bytes")
                    .retryAfter(RETRY)
                    .exception();
        }
        held += bytes;
    }

    @Override
    public void close() {
        if (held > 0) {
            room.giveBack(tenant, held);
            held = 0;
        }
    }
}
