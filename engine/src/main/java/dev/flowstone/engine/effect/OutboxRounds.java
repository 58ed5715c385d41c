package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lets a node's shards take turns at what a destination takes of the node: however much waits in one, the others' messages go,
 * too. Whoever began something last is the last to begin in the next round. Not thread-safe.
 */
public final class OutboxRounds {
    private static final System.Logger LOG = System.getLogger(OutboxRounds.class.getName());

    private final OutboxPublisher publisher;

    /** When each shard last began something, counted in turns. */
    private final Map<ShardId, Long> served = new HashMap<>();

    private long turns;

    public OutboxRounds(OutboxPublisher publisher) {
        this.publisher = requireNonNull(publisher);
    }

    /** Forgets what is under way of all shards but these: others deliver it again. */
    public void keep(Set<ShardId> shards) {
        publisher.keep(shards);
        served.keySet().retainAll(shards);
    }

    /**
     * Records what has ended of all these shards' messages, then begins to deliver what is due: each shard as much as leaves the
     * same to those after it. One that the database doesn't answer for waits until the next round.
     *
     * @return how many were begun
     */
    public int round(Collection<Lease> shards) {
        List<Lease> open = new ArrayList<>(shards.size());
        for (Lease lease : shards) {
            try {
                publisher.settle(lease);
                open.add(lease);
            } catch (JournalException e) {
                waits(e);
            }
        }
        open.sort(Comparator.comparingLong(
                lease -> served.getOrDefault(lease.shard().id(), 0L)));
        int begun = 0;
        for (int i = 0; i < open.size(); i++) {
            try {
                begun += begin(open.get(i), open.size() - i);
            } catch (JournalException e) {
                waits(e);
            }
        }
        return begun;
    }

    private int begin(Lease lease, int shards) throws JournalException {
        int begun = publisher.begin(lease, shards);
        if (begun > 0) {
            turns++;
            served.put(lease.shard().id(), turns);
        }
        return begun;
    }

    private static void waits(JournalException e) {
        LOG.log(Level.WARNING, "the outbox waits: " + e.getMessage());
    }
}
