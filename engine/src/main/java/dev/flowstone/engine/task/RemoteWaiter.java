package dev.flowstone.engine.task;

import dev.flowstone.kernel.id.TenantId;
import java.util.concurrent.locks.Condition;

/** A claim that waits. Belongs to whoever holds the lock of {@link RemoteTasks}. */
final class RemoteWaiter {
    final Worker worker;
    final Condition woken;
    boolean dismissed;

    RemoteWaiter(Worker worker, Condition woken) {
        this.worker = worker;
        this.woken = woken;
    }

    /** Who waits. */
    record Worker(TenantId tenant, String name) {}
}
