package dev.flowstone.engine.template;

/** A template's name, unique in its set: 1 to 100 letters, digits, dots, hyphens and underscores. */
public record TemplateId(String value) {
    public TemplateId {
        TemplateIds.check("a template's id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
