package dev.flowstone.server.http;

import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;

/** A call's place among those that wait for the engine, until it is closed. */
public final class Place implements AutoCloseable {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Room room;
    private final TenantId tenant;

    private Place(Room room, TenantId tenant) {
        this.room = room;
        this.tenant = tenant;
    }

    /** Takes one in a tenant's name, if there is one. */
    public static Place take(Room room, TenantId tenant) throws ProblemException {
        if (!room.take(tenant, 1)) {
            throw busy();
        }
        return new Place(room, tenant);
    }

    /** Also before anything of the body was read, since to refuse must cost next to nothing. */
    static ProblemException busy() {
        return Problem.of(ProblemCode.BUSY, "too many calls wait for the engine; nothing of this one was done")
                .retryAfter(RETRY)
                .exception();
    }

    @Override
    public void close() {
        room.giveBack(tenant, 1);
    }
}
