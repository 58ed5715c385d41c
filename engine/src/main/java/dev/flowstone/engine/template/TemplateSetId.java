package dev.flowstone.engine.template;

/** A set's name, unique in its tenant: 1 to 100 letters, digits, dots, hyphens and underscores. */
public record TemplateSetId(String value) {
    public TemplateSetId {
        TemplateIds.check("a template set's id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
