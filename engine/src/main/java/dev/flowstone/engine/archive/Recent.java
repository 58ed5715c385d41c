package dev.flowstone.engine.archive;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which items stood in a file not long ago. Writing and reading keep the same ones, so that what is referred to is written
 * again when it has been forgotten, and can be demanded when it hasn't: memory is bounded, whatever the month held.
 */
final class Recent {
    private static final int MOST = 65_536;

    private final int most;
    private final Set<Named> items = new LinkedHashSet<>();

    Recent() {
        this(MOST);
    }

    /** One that remembers so many; that of a file always remembers as many as the format says. */
    Recent(int most) {
        this.most = most;
    }

    /** How many it remembers. */
    int most() {
        return most;
    }

    private record Named(ArchiveLine.Kind kind, TenantId tenant, Sha256 hash) {}

    boolean holds(ArchiveLine.Kind kind, TenantId tenant, Sha256 hash) {
        return items.contains(new Named(kind, tenant, hash));
    }

    void add(ArchiveLine.Item item) {
        if (items.add(new Named(item.kind(), item.tenant(), item.hash())) && items.size() > most) {
            items.remove(items.iterator().next());
        }
    }
}
