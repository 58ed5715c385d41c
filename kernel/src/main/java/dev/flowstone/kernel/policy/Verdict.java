package dev.flowstone.kernel.policy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/**
 * How a policy came out.
 *
 * @param rule the one that decided; empty if none applied, and the bundle's default did
 * @param reason why, for people
 * @param read the values that it read, by path
 * @param error the first thing that went wrong on the way, if anything did
 */
public record Verdict(
        boolean allowed,
        Optional<String> rule,
        String reason,
        JsonObject read,
        Optional<ExpressionError> error,
        long steps,
        long bytes) {
    public Verdict {
        requireNonNull(rule);
        requireNonNull(reason);
        requireNonNull(read);
        requireNonNull(error);
    }
}
