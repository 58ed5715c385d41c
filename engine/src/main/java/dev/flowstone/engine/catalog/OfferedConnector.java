package dev.flowstone.engine.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * A connector, as a node has it (dataflow.md §3.5).
 *
 * @param version {@code MAJOR.MINOR.PATCH}
 * @param enabled whether its author lets new versions of workflows name its actions
 * @param authType such as {@code ApiKey}
 * @param configSchema JSON Schema of what may be set for it
 */
public record OfferedConnector(
        String id,
        String version,
        String displayName,
        String description,
        Optional<String> iconUrl,
        Optional<String> documentationUrl,
        boolean enabled,
        boolean requiresAuth,
        Optional<String> authType,
        Optional<JsonObject> configSchema,
        List<String> capabilities) {
    public OfferedConnector {
        requireNonNull(id);
        Offer.checkVersion(version);
        requireNonNull(displayName);
        requireNonNull(description);
        requireNonNull(iconUrl);
        requireNonNull(documentationUrl);
        requireNonNull(authType);
        requireNonNull(configSchema);
        capabilities = List.copyOf(capabilities);
    }
}
