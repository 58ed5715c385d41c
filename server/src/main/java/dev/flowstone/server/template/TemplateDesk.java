package dev.flowstone.server.template;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.template.Templates;
import dev.flowstone.templates.DocumentTemplates;

/** Where document templates are kept, and what renders them. */
public record TemplateDesk(Templates templates, DocumentTemplates documents) {
    public TemplateDesk {
        requireNonNull(templates);
        requireNonNull(documents);
    }
}
