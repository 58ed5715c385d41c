package dev.flowstone.engine.template;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A place that keeps no templates: there are none, and none can be made. */
final class NoTemplates implements Templates {
    @Override
    public List<TemplateSet> sets(TenantId tenant, Optional<String> team, Optional<TemplateSetId> after, int limit) {
        return List.of();
    }

    @Override
    public Optional<TemplateSet> set(TenantId tenant, TemplateSetId id) {
        return Optional.empty();
    }

    @Override
    public SetChange create(TenantId owner, TemplateSetId id, String displayName, String team, boolean hides, Actor by)
            throws JournalException {
        throw new JournalException.Unavailable("no templates are kept here");
    }

    @Override
    public Removal remove(TenantId owner, TemplateSetId id) {
        return Removal.UNKNOWN;
    }

    @Override
    public SetChange update(TenantId owner, TemplateSetId id, SetWish wish, OptionalLong expected, Actor by) {
        return new SetChange.Unknown();
    }

    @Override
    public List<TemplateEntry> list(TenantId tenant, Filter filter, Optional<TemplateName> after, int limit) {
        return List.of();
    }

    @Override
    public List<TemplateName> named(TenantId tenant, TemplateId id, int limit) {
        return List.of();
    }

    @Override
    public Optional<TemplateVersion> find(TenantId tenant, TemplateName name, OptionalInt version) {
        return Optional.empty();
    }

    @Override
    public List<TemplateVersionEntry> versions(TenantId tenant, TemplateName name, OptionalInt before, int limit) {
        return List.of();
    }

    @Override
    public Written write(TenantId owner, TemplateName name, TemplateDraft draft, OptionalLong expected, Actor by) {
        return new Written.NoSet();
    }

    @Override
    public Optional<TemplateVersion> enable(TenantId owner, TemplateName name, int version, boolean enabled, Actor by) {
        return Optional.empty();
    }
}
