package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * What a version of a workflow template says (dataflow.md §3.6); checked by whoever writes it.
 *
 * @param definition a workflow's, with places that values of the config go into
 * @param configSchema JSON Schema of the config
 * @param thumbnail the address of a picture
 * @param tags by which people look for it, in the order in which they were written
 */
public record WorkflowTemplateDraft(
        String displayName,
        String description,
        String category,
        JsonObject definition,
        JsonObject configSchema,
        Optional<String> thumbnail,
        Optional<String> author,
        List<String> tags) {
    public WorkflowTemplateDraft {
        requireNonNull(displayName);
        requireNonNull(description);
        requireNonNull(category);
        requireNonNull(definition);
        requireNonNull(configSchema);
        requireNonNull(thumbnail);
        requireNonNull(author);
        tags = List.copyOf(tags);
    }
}
