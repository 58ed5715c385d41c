package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

/** A template, whatever its version, as a tenant names it. */
public record TemplateName(TemplateSetId set, TemplateId id) {
    public TemplateName {
        requireNonNull(set);
        requireNonNull(id);
    }

    @Override
    public String toString() {
        return set + "/" + id;
    }
}
