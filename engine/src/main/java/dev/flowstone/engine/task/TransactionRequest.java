package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Subject;
import java.time.Duration;

/**
 * An attempt that is to be made in a transaction.
 *
 * @param lease under which the run is checked out; no other epoch's owner may do this
 * @param expectedVersion of the subject, as the run knows it
 * @param timeout after which it isn't committed any more
 */
public record TransactionRequest(
        Lease lease,
        RunKey run,
        Subject subject,
        long expectedVersion,
        ActivationId activation,
        int attempt,
        Duration timeout) {
    /** Where results of transactions come from, in the inbox. */
    public static final String SOURCE = "transaction";

    public TransactionRequest {
        requireNonNull(lease);
        requireNonNull(run);
        requireNonNull(subject);
        requireNonNull(activation);
        requireNonNull(timeout);
    }

    /** Under which an attempt's result is recorded, at most once. */
    public static InboxKey key(RunKey run, ActivationId activation, int attempt) {
        return new InboxKey(run.tenant(), SOURCE, run.run() + "/" + activation + "/" + attempt);
    }
}
