package dev.flowstone.engine.policy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * One published version of a policy.
 *
 * @param version from 1, without gaps
 * @param hash of the bundle's canonical bytes
 * @param publishedBy who made it a version; empty for versions of releases that did not record it
 */
public record PolicyVersion(
        PolicyName name,
        int version,
        JsonObject bundle,
        Sha256 hash,
        Instant publishedAt,
        Optional<Actor> publishedBy) {
    /** Bytes of a bundle's canonical form at most: every decision that asks a policy reads all of it. */
    public static final int MOST_BYTES = 64 << 10;

    public PolicyVersion {
        requireNonNull(name);
        requireNonNull(bundle);
        requireNonNull(hash);
        requireNonNull(publishedAt);
        requireNonNull(publishedBy);
    }

    /** What a bundle is known by. */
    public static Sha256 hash(JsonObject bundle) {
        return Sha256.digest(CanonicalJson.exact(bundle));
    }
}
