package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.task.HandlerExecution;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A handler that was asked for, and when its next half is due, by the world's clock. */
final class Running {
    final HandlerExecution execution;
    final Set<Lease> leases;
    boolean begun;
    boolean called;
    Ledger.@Nullable Effect effect;
    Instant due;

    /**
     * One that hasn't begun.
     *
     * @param leases that its node held when it was asked for
     */
    Running(HandlerExecution execution, Set<Lease> leases, Instant due) {
        this.execution = execution;
        this.leases = leases;
        this.due = due;
    }
}
