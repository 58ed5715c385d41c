package dev.flowstone.kernel.aggregate;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;

/** Who waits: an activation of a run. */
public record Waiter(RunId run, ActivationId activation) implements Comparable<Waiter> {
    public Waiter {
        requireNonNull(run);
        requireNonNull(activation);
    }

    @Override
    public int compareTo(Waiter other) {
        int byRun = run.compareTo(other.run);
        return byRun != 0 ? byRun : activation.compareTo(other.activation);
    }
}
