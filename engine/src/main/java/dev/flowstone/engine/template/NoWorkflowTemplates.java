package dev.flowstone.engine.template;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A place that keeps no workflow templates: there are none, and none can be made. */
final class NoWorkflowTemplates implements WorkflowTemplates {
    @Override
    public List<WorkflowTemplateEntry> list(
            TenantId tenant, Filter filter, Optional<WorkflowTemplateId> after, int limit) {
        return List.of();
    }

    @Override
    public Optional<WorkflowTemplate> find(TenantId tenant, WorkflowTemplateId id, OptionalInt version) {
        return Optional.empty();
    }

    @Override
    public Change create(TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, Actor by)
            throws JournalException {
        throw new JournalException.Unavailable("no workflow templates are kept here");
    }

    @Override
    public Change write(
            TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, OptionalLong expected, Actor by) {
        return new Change.Unknown();
    }

    @Override
    public Change enable(TenantId owner, WorkflowTemplateId id, boolean enabled, OptionalLong expected, Actor by) {
        return new Change.Unknown();
    }

    @Override
    public Shipment ship(List<Shipped> library, Actor by) {
        return new Shipment(0, List.of());
    }
}
