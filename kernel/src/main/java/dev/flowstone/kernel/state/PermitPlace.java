package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;

/** Where permits are held: orders them by scope instance, then by await. */
record PermitPlace(int scope, ActivationId activation) implements Comparable<PermitPlace> {
    @Override
    public int compareTo(PermitPlace other) {
        int byScope = Integer.compare(scope, other.scope);
        return byScope != 0 ? byScope : activation.compareTo(other.activation);
    }
}
