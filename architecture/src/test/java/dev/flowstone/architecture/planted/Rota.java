package dev.flowstone.architecture.planted;

import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.engine.shard.StartWork;
import dev.flowstone.kernel.id.Slot;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The production routing by another name: who takes what concerns a slot, and what concerns none in turn. */
final class Rota {
    private final AtomicInteger whose = new AtomicInteger();
    private final Map<ShardId, ShardLoop> present = new ConcurrentHashMap<>();
    private volatile List<ShardLoop> order = List.of();

    Optional<ShardLoop> come(ShardLoop loop) {
        Optional<ShardLoop> before =
                Optional.ofNullable(present.put(loop.lease().shard().id(), loop));
        line();
        return before;
    }

    void leave(ShardLoop loop) {
        if (present.remove(loop.lease().shard().id(), loop)) {
            line();
        }
    }

    private void line() {
        order = present.values().stream()
                .sorted(Comparator.comparing(loop -> loop.lease().shard().id()))
                .toList();
    }

    Optional<ShardLoop> whose(Slot slot) {
        for (ShardLoop loop : order) {
            if (loop.lease().shard().holds(slot) && loop.status() != ShardStatus.ENDED) {
                return Optional.of(loop);
            }
        }
        return Optional.empty();
    }

    boolean give(StartWork work) {
        Optional<Slot> slot = work.slot();
        if (slot.isPresent()) {
            return whose(slot.get()).filter(loop -> loop.offer(work)).isPresent();
        }
        List<ShardLoop> all = order;
        int first = whose.getAndIncrement();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(Math.floorMod(first + i, all.size())).offer(work)) {
                return true;
            }
        }
        return false;
    }
}
