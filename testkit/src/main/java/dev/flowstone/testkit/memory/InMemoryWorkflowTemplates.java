package dev.flowstone.testkit.memory;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.template.TemplateSet.Mark;
import dev.flowstone.engine.template.WorkflowTemplate;
import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.template.WorkflowTemplateEntry;
import dev.flowstone.engine.template.WorkflowTemplateId;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Workflow templates in memory, as the database keeps them. */
public final class InMemoryWorkflowTemplates implements WorkflowTemplates {
    /** The edition of what no release has shipped. */
    private static final int MADE_HERE = 0;

    private final Clock clock;
    private final Map<TenantId, NavigableMap<String, Row>> rows = new HashMap<>();

    public InMemoryWorkflowTemplates(Clock clock) {
        this.clock = requireNonNull(clock);
    }

    private record Version(WorkflowTemplateDraft draft, Mark written) {}

    /** A template with all its versions, the oldest first. */
    private record Row(
            boolean enabled, long revision, int edition, Mark created, Mark changed, List<Version> versions) {
        Row next(Version version, int shipped) {
            List<Version> all = new ArrayList<>(versions);
            all.add(version);
            return new Row(enabled, revision + 1, Math.max(edition, shipped), created, version.written(), all);
        }
    }

    private NavigableMap<String, Row> of(TenantId owner) {
        return rows.computeIfAbsent(owner, _ -> new TreeMap<>());
    }

    private TenantId seen(TenantId tenant, WorkflowTemplateId id) {
        return of(tenant).containsKey(id.value()) ? tenant : HOUSE;
    }

    @Override
    public synchronized List<WorkflowTemplateEntry> list(
            TenantId tenant, Filter filter, Optional<WorkflowTemplateId> after, int limit) {
        TreeMap<String, TenantId> owners = new TreeMap<>();
        of(HOUSE).keySet().forEach(id -> owners.put(id, HOUSE));
        of(tenant).keySet().forEach(id -> owners.put(id, tenant));
        String from = after.map(WorkflowTemplateId::value).orElse("");
        return owners.tailMap(from, false).entrySet().stream()
                .map(it -> entry(it.getValue(), new WorkflowTemplateId(it.getKey())))
                .filter(it -> passes(it, filter))
                .limit(limit)
                .toList();
    }

    private static boolean passes(WorkflowTemplateEntry entry, Filter filter) {
        String text = String.join(
                        "\n",
                        entry.id().value(),
                        entry.displayName(),
                        entry.description(),
                        String.join("\n", entry.tags()))
                .toLowerCase(Locale.ROOT);
        return filter.category().map(entry.category()::equals).orElse(true)
                && filter.official().map(it -> it == entry.official()).orElse(true)
                && filter.search()
                        .map(it -> text.contains(it.toLowerCase(Locale.ROOT)))
                        .orElse(true);
    }

    private WorkflowTemplateEntry entry(TenantId owner, WorkflowTemplateId id) {
        return newest(owner, id).orElseThrow().entry();
    }

    private Optional<WorkflowTemplate> newest(TenantId owner, WorkflowTemplateId id) {
        Row row = of(owner).get(id.value());
        return row == null
                ? Optional.empty()
                : Optional.of(template(owner, id, row, row.versions().size()));
    }

    private static WorkflowTemplate template(TenantId owner, WorkflowTemplateId id, Row row, int number) {
        Version version = row.versions().get(number - 1);
        return new WorkflowTemplate(
                id,
                owner.equals(HOUSE),
                row.enabled(),
                row.revision(),
                row.versions().size(),
                number,
                version.draft(),
                row.created(),
                row.changed(),
                version.written());
    }

    @Override
    public synchronized Optional<WorkflowTemplate> find(TenantId tenant, WorkflowTemplateId id, OptionalInt version) {
        TenantId owner = seen(tenant, id);
        Row row = of(owner).get(id.value());
        if (row == null) {
            return Optional.empty();
        }
        int number = version.orElse(row.versions().size());
        return number < 1 || number > row.versions().size()
                ? Optional.empty()
                : Optional.of(template(owner, id, row, number));
    }

    @Override
    public synchronized Change create(TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, Actor by) {
        Optional<WorkflowTemplate> there = newest(owner, id);
        if (there.isPresent()) {
            return there.get().draft().equals(draft) ? new Change.Made(false, there.get()) : new Change.Taken();
        }
        if (of(HOUSE).containsKey(id.value())) {
            return new Change.Official();
        }
        if (of(owner).size() >= MOST) {
            return new Change.TooMany();
        }
        if (bytes(owner) + bytes(draft) > MOST_BYTES) {
            return new Change.TooManyBytes();
        }
        begin(owner, id, draft, MADE_HERE, by);
        return new Change.Made(true, newest(owner, id).orElseThrow());
    }

    private void begin(TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, int edition, Actor by) {
        Mark now = new Mark(clock.now(), by);
        of(owner).put(id.value(), new Row(true, 1, edition, now, now, List.of(new Version(draft, now))));
    }

    private long bytes(TenantId owner) {
        return of(owner).values().stream()
                .flatMap(row -> row.versions().stream())
                .mapToLong(version -> bytes(version.draft()))
                .sum();
    }

    private static long bytes(WorkflowTemplateDraft draft) {
        return CanonicalJson.exactLength(draft.definition())
                + CanonicalJson.exactLength(draft.configSchema())
                + (draft.description() + draft.thumbnail().orElse("")).getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public synchronized Change write(
            TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, OptionalLong expected, Actor by) {
        Optional<WorkflowTemplate> there = newest(owner, id);
        if (there.isEmpty()) {
            return new Change.Unknown();
        }
        WorkflowTemplate template = there.get();
        if (template.draft().equals(draft)) {
            return new Change.Made(false, template);
        }
        if (expected.isPresent() && expected.getAsLong() != template.revision()) {
            return new Change.OtherRevision(template.revision());
        }
        if (template.latest() == MOST_VERSIONS) {
            return new Change.TooMany();
        }
        if (bytes(owner) + bytes(draft) > MOST_BYTES) {
            return new Change.TooManyBytes();
        }
        of(owner).computeIfPresent(id.value(), (_, row) -> row.next(new Version(draft, new Mark(clock.now(), by)), 0));
        return new Change.Made(true, newest(owner, id).orElseThrow());
    }

    @Override
    public synchronized Change enable(
            TenantId owner, WorkflowTemplateId id, boolean enabled, OptionalLong expected, Actor by) {
        Optional<WorkflowTemplate> there = newest(owner, id);
        if (there.isEmpty()) {
            return new Change.Unknown();
        }
        if (there.get().enabled() == enabled) {
            return new Change.Made(false, there.get());
        }
        long revision = there.get().revision();
        if (expected.isPresent() && expected.getAsLong() != revision) {
            return new Change.OtherRevision(revision);
        }
        of(owner)
                .computeIfPresent(
                        id.value(),
                        (_, row) -> new Row(
                                enabled,
                                revision + 1,
                                row.edition(),
                                row.created(),
                                new Mark(clock.now(), by),
                                row.versions()));
        return new Change.Made(false, newest(owner, id).orElseThrow());
    }

    @Override
    public synchronized Shipment ship(List<Shipped> library, Actor by) {
        int written = 0;
        List<WorkflowTemplateId> kept = new ArrayList<>();
        for (Shipped shipped : library) {
            Row row = of(HOUSE).get(shipped.id().value());
            if (row == null) {
                begin(HOUSE, shipped.id(), shipped.draft(), shipped.edition(), by);
                written++;
            } else if (row.edition() == MADE_HERE) {
                kept.add(shipped.id());
            } else if (row.edition() < shipped.edition()) {
                Version version = new Version(shipped.draft(), new Mark(clock.now(), by));
                of(HOUSE).put(shipped.id().value(), row.next(version, shipped.edition()));
                written++;
            }
        }
        return new Shipment(written, kept);
    }
}
