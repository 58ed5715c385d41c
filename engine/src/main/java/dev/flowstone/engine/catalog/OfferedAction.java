package dev.flowstone.engine.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * An action, as a node has it (dataflow.md §3.5).
 *
 * @param connector the id of its connector
 * @param version {@code MAJOR.MINOR.PATCH}
 * @param parameterSchema JSON Schema; empty if nothing is known
 * @param outputSchema likewise
 * @param enabled whether its author lets new versions of workflows name it
 * @param deprecation what to use instead, if it is to be left
 * @param deprecatedSince the version from which on, if its author says so
 */
public record OfferedAction(
        String id,
        String connector,
        String version,
        String displayName,
        String description,
        String category,
        List<String> tags,
        JsonObject parameterSchema,
        JsonObject outputSchema,
        boolean enabled,
        Optional<String> deprecation,
        Optional<String> deprecatedSince) {
    public OfferedAction {
        requireNonNull(id);
        requireNonNull(connector);
        Offer.checkVersion(version);
        requireNonNull(displayName);
        requireNonNull(description);
        requireNonNull(category);
        tags = List.copyOf(tags);
        requireNonNull(parameterSchema);
        requireNonNull(outputSchema);
        requireNonNull(deprecation);
        requireNonNull(deprecatedSince);
    }
}
