package dev.flowstone.engine.node;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.engine.shard.StartWork;
import dev.flowstone.kernel.id.Slot;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A node's living loops, and which of them is for whom. A loop is found once {@link #route} was called after it came. Thread-safe. */
final class Loops {
    private final Map<ShardId, ShardLoop> byShard = new ConcurrentHashMap<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final int together;
    private volatile List<ShardLoop> bySlot = List.of();

    /**
     * None yet.
     *
     * @param together starts that go to one loop before it is the next one's turn
     */
    Loops(int together) {
        this.together = together;
    }

    /** By shard, as they are. */
    Collection<ShardLoop> all() {
        return byShard.values();
    }

    @Nullable
    ShardLoop of(ShardId shard) {
        return byShard.get(shard);
    }

    /** Takes it in; tells which one had its shard before. */
    Optional<ShardLoop> put(ShardLoop loop) {
        return Optional.ofNullable(byShard.put(loop.lease().shard().id(), loop));
    }

    /** Lets it go; false if it isn't here any more. */
    boolean remove(ShardLoop loop) {
        return byShard.remove(loop.lease().shard().id(), loop);
    }

    void clear() {
        byShard.clear();
        route();
    }

    /** Those that are here now are found from now on. */
    void route() {
        bySlot = byShard.values().stream()
                .sorted(Comparator.comparing(loop -> loop.lease().shard().id()))
                .toList();
    }

    /** Who takes what concerns this slot; null if nobody here does. */
    @Nullable
    ShardLoop owner(Slot slot) {
        for (ShardLoop loop : bySlot) {
            if (loop.lease().shard().holds(slot)) {
                return loop.status() == ShardStatus.ENDED ? null : loop;
            }
        }
        return null;
    }

    /** A start with a subject or a request id belongs to one shard; any other to the one whose turn it is, or the next that has room. */
    boolean offer(StartWork work) {
        Optional<Slot> slot = work.slot();
        if (slot.isPresent()) {
            ShardLoop loop = owner(slot.get());
            return loop != null && loop.offer(work);
        }
        List<ShardLoop> owned = bySlot;
        int first = turn.getAndIncrement() / together;
        return offer(work, owned, first, false) || offer(work, owned, first, true);
    }

    /** To those that stay, or to those that are about to go to other nodes, where it would wait. */
    private static boolean offer(StartWork work, List<ShardLoop> owned, int first, boolean draining) {
        for (int i = 0; i < owned.size(); i++) {
            ShardLoop loop = owned.get(Math.floorMod(first + i, owned.size()));
            if (loop.drains() == draining && loop.offer(work)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there are any, and each takes commands. */
    boolean ready() {
        List<ShardLoop> owned = bySlot;
        return !owned.isEmpty() && owned.stream().allMatch(ShardLoop::isReady);
    }

    /** Runs of theirs that can't go on, each with its reason. */
    Map<RunKey, String> setAside() {
        Map<RunKey, String> all = new HashMap<>();
        byShard.values().forEach(loop -> all.putAll(loop.setAside()));
        return all;
    }
}
