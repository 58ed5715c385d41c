package dev.flowstone.engine.task;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.payload.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;

/** A claim under way: what it has got so far, and whether it sleeps until it gets something. Guarded by the gates. */
final class RemoteWaiter {
    /** Of inputs that are set aside and go out at once, but for the first one. */
    private static final long BYTES = 4 << 20;

    final RemoteClaim claim;
    final Condition woken;
    final List<RemoteEntry> taken = new ArrayList<>();

    /** Nobody is to get anything any more. */
    boolean dismissed;

    boolean sleeping;
    private long bytes;

    RemoteWaiter(RemoteClaim claim, Condition woken) {
        this.claim = claim;
        this.woken = woken;
    }

    Worker worker() {
        return new Worker(claim.tenant(), claim.worker());
    }

    void take(RemoteEntry entry) {
        taken.add(entry);
        bytes += entry.attempt.input() instanceof Payload.Stored stored ? stored.bytes() : 0;
    }

    /** Whether there is nothing to wait for. */
    boolean isOver() {
        return !sleeping || dismissed || !taken.isEmpty();
    }

    /** Whether it has room for more. One that sleeps gets up first: others may wait too. */
    boolean takes() {
        return !dismissed && taken.size() < (sleeping ? 1 : claim.most()) && bytes <= BYTES;
    }

    /** Who waits. */
    record Worker(TenantId tenant, String name) {}
}
