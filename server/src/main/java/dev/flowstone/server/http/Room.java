package dev.flowstone.server.http;

import dev.flowstone.kernel.id.TenantId;
import java.util.HashMap;
import java.util.Map;

/**
 * A bounded number of units that tenants share. Whoever holds much leaves room to others: a tenant is refused what would be
 * more than eight times as much as is left free then, so that none takes it all. Nobody waits here, for anything. Thread-safe.
 */
public final class Room {
    private static final int TO_FREE = 8;

    private final long most;
    private final Map<TenantId, Long> held = new HashMap<>();
    private long taken;
    private long refused;

    public Room(long most) {
        if (most < 1) {
            throw new IllegalArgumentException("room is for 1 at least, not for " + most);
        }
        this.most = most;
    }

    /** Whether there is room for so many now; who is told so has taken nothing. */
    public synchronized boolean has(TenantId tenant, long units) {
        long free = most - taken - units;
        long own = held.getOrDefault(tenant, 0L) + units;
        // The first one of a tenant finds the place that others had to leave.
        boolean fits = free >= 0 && (own == units || own / TO_FREE <= free);
        if (!fits) {
            refused++;
        }
        return fits;
    }

    /** Takes so many; false if there is no room for them, and nothing was taken. */
    public synchronized boolean take(TenantId tenant, long units) {
        if (!has(tenant, units)) {
            return false;
        }
        taken += units;
        held.merge(tenant, units, Long::sum);
        return true;
    }

    public synchronized void giveBack(TenantId tenant, long units) {
        taken -= units;
        held.computeIfPresent(tenant, (_, own) -> own == units ? null : own - units);
    }

    public synchronized long taken() {
        return taken;
    }

    /** How often there was no room, ever. */
    public synchronized long refused() {
        return refused;
    }
}
