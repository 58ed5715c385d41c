package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import java.util.Optional;

/**
 * What a policy said, and which one it was: enough to explain a decision after the bundle has changed.
 *
 * @param version of the bundle; 0, with {@link Sha256#ZERO}, if there is none: that never allows
 * @param rule the one that decided; empty for the default
 */
public record PolicyDecision(
        PolicyName bundle, int version, Sha256 hash, boolean allowed, Optional<String> rule, String reason) {
    public PolicyDecision {
        requireNonNull(bundle);
        requireNonNull(hash);
        requireNonNull(rule);
        requireNonNull(reason);
    }

    @Override
    public String toString() {
        String from = version == 0 ? bundle.value() : bundle + " version " + version + " (" + hash + ")";
        return "policy " + from + (allowed ? " allows" : " denies")
                + rule.map(name -> " by rule '" + name + "'").orElse("") + ": " + reason;
    }
}
