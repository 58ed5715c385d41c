package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Since when this node looks after a shard's schedules without a break: what is late since then is late because there is much to do, and
 * isn't missed; up to a bound. Not thread-safe.
 */
final class Watch {
    /** Beyond which also what is late by the node's fault is missed. */
    static final Duration MOST_BEHIND = Duration.ofMinutes(10);

    private final Duration missedAfter;
    private final Map<ShardId, Began> began = new HashMap<>();
    private Instant last = Instant.MIN;

    private record Began(long epoch, Instant at) {}

    /** @param missedAfter by how much a tick may be late, and isn't missed yet; a break is as long */
    Watch(Duration missedAfter) {
        this.missedAfter = requireNonNull(missedAfter);
    }

    /** It looks now. */
    void look(Collection<Lease> mine, Instant now) {
        if (last.isBefore(now.minus(missedAfter)) || now.isBefore(last)) {
            began.clear();
        }
        last = now;
        Map<ShardId, Began> before = Map.copyOf(began);
        began.clear();
        for (Lease lease : mine) {
            Began known = before.getOrDefault(lease.shard().id(), new Began(lease.epoch(), now));
            began.put(lease.shard().id(), known.epoch() == lease.epoch() ? known : new Began(lease.epoch(), now));
        }
    }

    /** By how much a tick of this shard may be late now, and isn't missed. */
    Duration missedAfter(Lease lease) {
        Began since = began.getOrDefault(lease.shard().id(), new Began(lease.epoch(), last));
        Duration watched = Duration.between(since.at(), last);
        Duration bounded = watched.compareTo(MOST_BEHIND) > 0 ? MOST_BEHIND : watched;
        return bounded.compareTo(missedAfter) > 0 ? bounded : missedAfter;
    }
}
