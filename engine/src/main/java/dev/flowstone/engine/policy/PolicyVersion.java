package dev.flowstone.engine.policy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;

/**
 * One published version of a policy.
 *
 * @param version from 1, without gaps
 * @param hash of the bundle's canonical bytes
 */
public record PolicyVersion(PolicyName name, int version, JsonObject bundle, Sha256 hash, Instant publishedAt) {
    public PolicyVersion {
        requireNonNull(name);
        requireNonNull(bundle);
        requireNonNull(hash);
        requireNonNull(publishedAt);
    }

    /** What a bundle is known by. */
    public static Sha256 hash(JsonObject bundle) {
        return Sha256.digest(CanonicalJson.exact(bundle));
    }
}
