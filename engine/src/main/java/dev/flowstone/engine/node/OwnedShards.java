package dev.flowstone.engine.node;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.ownership.LeaseKeeper;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.shard.ShardParts;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.kernel.id.Slot;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A node's shards, as its leases say: loops are born of them, handed over, and buried. */
final class OwnedShards implements LeaseKeeper.Owner {
    private static final System.Logger LOG = System.getLogger(OwnedShards.class.getName());

    private final LeaseConfig config;
    private final EngineParts parts;
    private final ShardParts shardParts;
    private final Loops loops;
    private final LetterPost post;
    private final EngineNode.LoopRunner runner;
    private final LeaseKeeper keeper;

    /** Their loops end because other nodes are to have them. */
    private final Set<ShardId> leaving = ConcurrentHashMap.newKeySet();

    private final String node;
    private final AtomicInteger turn = new AtomicInteger();
    private volatile boolean stopping;

    OwnedShards(
            EngineConfig config,
            EngineParts parts,
            ShardParts shardParts,
            Loops loops,
            LetterPost post,
            EngineNode.LoopRunner runner) {
        this.config = config.lease();
        this.node = config.node();
        this.parts = parts;
        this.shardParts = shardParts;
        this.loops = loops;
        this.post = post;
        this.runner = runner;
        this.keeper = config.member()
                .map(self -> new LeaseKeeper(
                        parts.ports().leases(),
                        config.lease(),
                        self,
                        parts.ports().clock(),
                        this))
                .orElseGet(() -> new LeaseKeeper(
                        parts.ports().leases(),
                        config.lease(),
                        config.node(),
                        parts.ports().clock(),
                        this));
    }

    /**
     * Acquires, renews and gives away leases.
     *
     * @return when to call it again at the latest
     */
    Instant keep() {
        for (ShardLoop loop : List.copyOf(loops.all())) {
            if (loop.status() == ShardStatus.ENDED && loops.remove(loop)) {
                loops.route();
                bury(loop);
            }
        }
        return keeper.step();
    }

    private void bury(ShardLoop loop) {
        ShardId shard = loop.lease().shard().id();
        if (leaving.remove(shard)) {
            keeper.give(shard);
        } else if (!stopping) {
            LOG.log(Level.WARNING, "shard " + shard + " was lost and will be acquired again: " + loop.endReason());
            keeper.forget(shard);
        }
    }

    boolean isStopping() {
        return stopping;
    }

    /** Who has the slot, as was seen last, and isn't this node; for none, one of those who have any. Thread-safe. */
    Optional<Member> elsewhere(Optional<Slot> slot) {
        List<Member> owners = others(slot);
        return owners.isEmpty()
                ? Optional.empty()
                : Optional.of(owners.get(Math.floorMod(turn.getAndIncrement(), owners.size())));
    }

    /** Whether it has no shard because others have them all: it takes calls for them, and takes over. Thread-safe. */
    boolean standsBy() {
        return loops.all().isEmpty() && keeper.sees() && !others().isEmpty();
    }

    /** Whether the database answered when it was last asked for leases. Thread-safe. */
    boolean reaches() {
        return keeper.reaches();
    }

    /** What was seen last isn't so. Thread-safe. */
    void lookSoon() {
        keeper.lookSoon();
    }

    /** The other nodes that have shards, as was seen last. Thread-safe. */
    List<Member> others() {
        return others(Optional.empty());
    }

    private List<Member> others(Optional<Slot> slot) {
        Census census = keeper.census();
        return parts.ports().leases().shards().stream()
                .filter(shard -> slot.isEmpty() || shard.holds(slot.get()))
                .flatMap(shard -> census.holder(shard.id()).stream())
                .filter(member -> !member.name().equals(node))
                .distinct()
                .toList();
    }

    /** No more starts, no more attempts; handlers go on. */
    void stop() {
        stopping = true;
        keeper.stopAcquiring();
        loops.all().forEach(ShardLoop::stop);
    }

    /** Ends what is left, while its leases run out. */
    void end() {
        stopping = true;
        keeper.stopAcquiring();
        loops.all().forEach(loop -> loop.end("stopped"));
        loops.clear();
    }

    /** Ends what is left, and gives the leases back. */
    void release() {
        end();
        keeper.release();
    }

    @Override
    public void gained(Lease lease, Instant until) {
        leaving.remove(lease.shard().id());
        // When it was granted, in database time.
        Instant granted = lease.until().minus(config.timeToLive());
        ShardLoop loop =
                new ShardLoop(lease, until, granted, shardParts, parts.random().split());
        loops.put(loop).ifPresent(before -> before.end("its shard was acquired again"));
        if (stopping) {
            // Won while the node was stopping: nothing has begun yet, and the lease goes back with the others.
            loop.end("the node is stopping");
            return;
        }
        post.shardCame();
        loops.route();
        runner.run(loop);
    }

    @Override
    public void extended(ShardId shard, Instant until) {
        ShardLoop loop = loops.of(shard);
        if (loop != null) {
            loop.extend(until);
        }
    }

    @Override
    public boolean hangs(ShardId shard) {
        ShardLoop loop = loops.of(shard);
        return loop != null && loop.hangs();
    }

    @Override
    public void handOver(ShardId shard) {
        ShardLoop loop = loops.of(shard);
        if (loop == null) {
            keeper.give(shard);
            return;
        }
        leaving.add(shard);
        loop.drain(config.handOver());
    }

    @Override
    public void lost(ShardId shard) {
        leaving.remove(shard);
        ShardLoop loop = loops.of(shard);
        if (loop != null) {
            loop.lose();
        }
    }
}
