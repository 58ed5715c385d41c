package dev.flowstone.server.template;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.template.WorkflowTemplates;

/** Where workflow templates are kept, and what makes drafts of them. */
public record WorkflowTemplateDesk(WorkflowTemplates templates, Drafting drafting) {
    public WorkflowTemplateDesk {
        requireNonNull(templates);
        requireNonNull(drafting);
    }
}
