package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * A workflow template in a list: what its newest version says, without definition and schema.
 *
 * @param official whether it is the house's, which every tenant sees
 * @param enabled whether workflows are made of it
 * @param revision counts its changes, from 1
 * @param latest its newest version, from 1
 */
public record WorkflowTemplateEntry(
        WorkflowTemplateId id,
        boolean official,
        boolean enabled,
        long revision,
        int latest,
        String displayName,
        String description,
        String category,
        Optional<String> thumbnail,
        Optional<String> author,
        List<String> tags,
        TemplateSet.Mark created,
        TemplateSet.Mark changed) {
    public WorkflowTemplateEntry {
        requireNonNull(id);
        requireNonNull(displayName);
        requireNonNull(description);
        requireNonNull(category);
        requireNonNull(thumbnail);
        requireNonNull(author);
        tags = List.copyOf(tags);
        requireNonNull(created);
        requireNonNull(changed);
    }
}
