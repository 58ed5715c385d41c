package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

/**
 * A workflow template as one of its versions has it. A version never changes; whether workflows are made of the template does.
 *
 * @param official whether it is the house's, which every tenant sees
 * @param enabled whether workflows are made of it
 * @param revision counts its changes, from 1; new versions are among them
 * @param latest its newest version
 * @param version that {@code draft} is of, from 1
 * @param created the template
 * @param changed the template, last
 * @param written this version
 */
public record WorkflowTemplate(
        WorkflowTemplateId id,
        boolean official,
        boolean enabled,
        long revision,
        int latest,
        int version,
        WorkflowTemplateDraft draft,
        TemplateSet.Mark created,
        TemplateSet.Mark changed,
        TemplateSet.Mark written) {
    public WorkflowTemplate {
        requireNonNull(id);
        requireNonNull(draft);
        requireNonNull(created);
        requireNonNull(changed);
        requireNonNull(written);
    }

    /** As a list tells it, though of this version. */
    public WorkflowTemplateEntry entry() {
        return new WorkflowTemplateEntry(
                id,
                official,
                enabled,
                revision,
                latest,
                draft.displayName(),
                draft.description(),
                draft.category(),
                draft.thumbnail(),
                draft.author(),
                draft.tags(),
                created,
                changed);
    }
}
