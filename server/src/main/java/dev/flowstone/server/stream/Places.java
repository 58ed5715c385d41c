package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Room;
import java.util.HashMap;
import java.util.Map;

/**
 * Places for readers of events: tenants share them as {@link Room} says, and of a tenant's no principal takes more than a few, so that
 * the others' are left. Whoever runs the installation shares them as a tenant. Thread-safe.
 */
final class Places {
    private final Room room;
    private final int ofAPrincipal;
    private final Map<Reader, Integer> held = new HashMap<>();

    /**
     * Places.
     *
     * @param most in all
     * @param ofAPrincipal of a tenant, at most
     */
    Places(int most, int ofAPrincipal) {
        this.room = new Room(most);
        this.ofAPrincipal = ofAPrincipal;
    }

    private record Reader(TenantId tenant, Actor principal) {
        Reader {
            requireNonNull(tenant);
            requireNonNull(principal);
        }

        static Reader of(Caller caller) {
            return new Reader(caller.tenant(), caller.principal());
        }
    }

    /** Whether there is one for that caller now. */
    synchronized boolean has(Caller caller) {
        return mayHaveMore(caller) && room.has(caller.tenant(), 1);
    }

    /** Takes one; false if there is none for that caller. */
    synchronized boolean take(Caller caller) {
        if (!mayHaveMore(caller) || !room.take(caller.tenant(), 1)) {
            return false;
        }
        held.merge(Reader.of(caller), 1, Integer::sum);
        return true;
    }

    synchronized void giveBack(Caller caller) {
        room.giveBack(caller.tenant(), 1);
        held.computeIfPresent(Reader.of(caller), (_, own) -> own == 1 ? null : own - 1);
    }

    private boolean mayHaveMore(Caller caller) {
        return caller.standing() == Caller.Standing.OPERATOR || held.getOrDefault(Reader.of(caller), 0) < ofAPrincipal;
    }
}
