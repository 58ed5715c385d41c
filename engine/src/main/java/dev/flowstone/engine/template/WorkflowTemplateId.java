package dev.flowstone.engine.template;

/** A workflow template's name, unique among those that a tenant sees: 1 to 100 letters, digits, dots, hyphens and underscores. */
public record WorkflowTemplateId(String value) {
    public WorkflowTemplateId {
        TemplateIds.check("a workflow template's id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
