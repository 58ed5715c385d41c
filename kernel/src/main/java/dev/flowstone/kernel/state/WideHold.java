package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.HoldPolicy;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a run has recorded of the newest setting of a scope that it lies in. Its own suspension or drain, if there is one,
 * counts instead (R25).
 *
 * @param number of the newest setting that was recorded; 0 if none ever was
 * @param hold none, when the scope was let go
 * @param expiresAt when a drain becomes a suspension at the latest
 * @param waived an operator let this very run go on in spite of it
 */
public record WideHold(
        long number,
        Hold hold,
        HoldPolicy policy,
        String reason,
        String scope,
        Optional<Instant> expiresAt,
        boolean waived) {
    static final WideHold NONE = lifted(0);

    /** Nothing holds the scope any more since the setting of this number. */
    static WideHold lifted(long number) {
        return new WideHold(number, Hold.NONE, HoldPolicy.DEFAULT, "", "", Optional.empty(), false);
    }

    /** Whether it holds the run as long as the run has no suspension of its own. */
    public boolean isInForce() {
        return hold != Hold.NONE && !waived;
    }

    WideHold waive() {
        return new WideHold(number, hold, policy, reason, scope, expiresAt, true);
    }

    @Nullable
    Suspension suspension() {
        return isInForce() ? new Suspension(hold, policy, reason, scope) : null;
    }
}
