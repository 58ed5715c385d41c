package dev.flowstone.engine.ownership;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.lease.ShardId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who is there and who holds what, at one moment of the database's time.
 *
 * @param present nodes that have announced themselves and aren't overdue, by name
 * @param holdings leases that run, by shard; a shard that isn't in it is free. Their holders needn't be present: a node of an
 *     earlier release, and one that shares with nobody, don't announce themselves
 */
public record Census(List<Present> present, Map<ShardId, Holding> holdings) {
    public static final Census EMPTY = new Census(List.of(), Map.of());

    public Census {
        present = List.copyOf(present);
        holdings = Map.copyOf(holdings);
    }

    /** Whose shard it is, if that is somebody who is present. */
    public Optional<Member> holder(ShardId shard) {
        Holding holding = holdings.get(shard);
        return present.stream()
                .map(Present::member)
                .filter(member -> holding != null && holding.holder().equals(member.name()))
                .findFirst();
    }

    /**
     * A node that is there.
     *
     * @param since when it came, in database time
     * @param left until it counts as gone, unless it announces itself again
     */
    public record Present(Member member, Instant since, Duration left) {
        public Present {
            requireNonNull(member);
            requireNonNull(since);
            requireNonNull(left);
        }
    }

    /**
     * A lease that runs.
     *
     * @param left until it has run out, unless it is renewed
     */
    public record Holding(String holder, long epoch, Duration left) {
        public Holding {
            requireNonNull(holder);
            requireNonNull(left);
        }
    }
}
