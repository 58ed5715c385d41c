package dev.flowstone.engine.task;

import dev.flowstone.kernel.id.TenantId;
import java.util.HashMap;
import java.util.Map;

/** How much waits, in all and of each tenant of which something does. Guarded by its user. */
final class Backlog {
    private final Map<TenantId, Integer> waiting = new HashMap<>();
    private int size;

    void count(TenantId tenant, int more) {
        waiting.merge(tenant, more, (before, change) -> before + change == 0 ? null : before + change);
        size += more;
    }

    int size() {
        return size;
    }

    /** Whether more than the bound wait in all, and more than its equal share of it of this tenant. */
    boolean isOverloaded(TenantId tenant, int most) {
        return size > most && waiting.getOrDefault(tenant, 0) > most / waiting.size();
    }
}
