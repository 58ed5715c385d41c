package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent.ResourceClaimed;
import dev.flowstone.kernel.event.MessageEvent.ResourceSettled;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Folds a run's events, told in order from the first, into what it has linked: each thing once, where it was linked first.
 * Not thread-safe.
 */
public final class Resources {
    private final TenantId tenant;
    private final Window window;
    private final Set<RunId> known = new HashSet<>();
    private final Map<RunId, Resource> kept = new LinkedHashMap<>();

    /** An empty fold, which keeps those in the window. */
    public Resources(TenantId tenant, Window window) {
        this.tenant = requireNonNull(tenant);
        this.window = requireNonNull(window);
    }

    /** In the order in which they were linked. */
    public List<Resource> all() {
        return List.copyOf(kept.values());
    }

    /** Whether there are later ones than those kept. */
    public boolean more() {
        return window.more();
    }

    /** Takes the next event in. */
    public void add(Event event) {
        if (event.body() instanceof ResourceClaimed it) {
            RunId resource = Aggregates.link(tenant, it.resourceType(), it.key());
            if (known.add(resource) && window.takes(event.sequence())) {
                kept.put(resource, claimed(event, it));
            }
        } else if (event.body() instanceof ResourceSettled it) {
            kept.computeIfPresent(it.resource(), (same, resource) -> resource.settled(it.owner(), it.content()));
        }
    }

    private static Resource claimed(Event event, ResourceClaimed it) {
        return new Resource(
                event.sequence(),
                it.activation(),
                it.attempt(),
                it.resourceType(),
                it.key(),
                Optional.empty(),
                it.content(),
                event.header().eventTime());
    }
}
