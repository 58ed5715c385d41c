package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.util.Comparator;

/**
 * Names a message between two runs for ever (R21): a sender's event causes at most one to a receiver.
 *
 * @param number of the sender's event that caused it
 */
public record LetterKey(TenantId tenant, RunId sender, long number, RunId receiver) implements Comparable<LetterKey> {
    private static final Comparator<LetterKey> ORDER = Comparator.comparing(LetterKey::tenant)
            .thenComparing(LetterKey::sender)
            .thenComparingLong(LetterKey::number)
            .thenComparing(LetterKey::receiver);

    public LetterKey {
        requireNonNull(tenant);
        requireNonNull(sender);
        requireNonNull(receiver);
    }

    public RunKey to() {
        return new RunKey(tenant, receiver);
    }

    @Override
    public int compareTo(LetterKey other) {
        return ORDER.compare(this, other);
    }
}
