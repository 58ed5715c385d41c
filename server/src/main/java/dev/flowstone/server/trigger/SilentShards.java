package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.Slot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Shards of this node that have kept somebody waiting in vain lately: others are told so at once. Thread-safe. */
public final class SilentShards {
    /** For which who is told so stays away. */
    static final Duration PAUSE = Silent.MEMORY;

    /** What who is told so hears. */
    static final String REASON = "its shard has just kept somebody waiting in vain";

    private final Supplier<List<Lease>> leases;
    private final Silent<ShardId> silent;

    /**
     * None of them is silent yet.
     *
     * @param leases that this node has
     * @param nanos a clock that only goes on, as {@link System#nanoTime}
     */
    public SilentShards(Supplier<List<Lease>> leases, LongSupplier nanos) {
        this.leases = requireNonNull(leases);
        this.silent = new Silent<>(nanos);
    }

    /** Waits for a shard's answer. */
    @FunctionalInterface
    interface Asking<T, E extends Exception> {
        T ask() throws E;
    }

    /**
     * Asks, unless the shard is silent.
     *
     * @param slot of the shard
     * @param unanswered what is answered if it was waited for in vain
     * @param busy what is answered if it isn't waited for
     */
    <T, E extends Exception> T ask(Slot slot, T unanswered, T busy, Asking<T, E> asking) throws E {
        Optional<ShardId> shard = leases.get().stream()
                .map(Lease::shard)
                .filter(it -> it.holds(slot))
                .map(Shard::id)
                .findFirst();
        if (shard.filter(silent::contains).isPresent()) {
            return busy;
        }
        T answer = asking.ask();
        if (answer.equals(unanswered)) {
            shard.ifPresent(silent::add);
        }
        return answer;
    }
}
