package dev.flowstone.engine.workflow;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.workflow.CatalogAnswer.Changed;
import dev.flowstone.engine.workflow.CatalogAnswer.Done;
import dev.flowstone.engine.workflow.CatalogAnswer.Invalid;
import dev.flowstone.engine.workflow.CatalogAnswer.Refused;
import dev.flowstone.engine.workflow.CatalogAnswer.Unknown;
import dev.flowstone.engine.workflow.DefinitionCompiler.Compiled;
import dev.flowstone.engine.workflow.DefinitionCompiler.Faulty;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The catalog of definitions and their lifecycle (dataflow.md §3.0). A version, once published, never changes; a draft is
 * checked whenever it is saved, so that what is stored compiles. Every operation may be repeated: the second time it finds
 * its work done and answers the same. Thread-safe; concurrent changes of one workflow are ordered by its revision.
 *
 * <p>Operations that take an expected revision answer {@link Changed} if the workflow isn't at it; without one they try
 * again, a few times, when somebody else was faster.
 */
public final class Workflows {
    private static final int TRIES = 5;

    private final WorkflowStore store;
    private final DefinitionCompiler compiler;
    private final Clock clock;

    public Workflows(WorkflowStore store, DefinitionCompiler compiler, Clock clock) {
        this.store = requireNonNull(store);
        this.compiler = requireNonNull(compiler);
        this.clock = requireNonNull(clock);
    }

    /** Creates a draft, or replaces the one that is open. */
    public CatalogAnswer<Saved> save(TenantId tenant, byte[] source, OptionalLong expectedRevision)
            throws JournalException {
        return switch (compiler.compile(source)) {
            case Faulty faulty -> new Invalid<>(faulty.faults());
            case Compiled compiled ->
                change(
                        tenant,
                        compiled.workflow(),
                        expectedRevision,
                        found -> found.map(row -> saveOver(row, source, compiled))
                                .orElseGet(() ->
                                        Change.to(created(tenant, source, compiled), row -> new Saved(row, true))));
        };
    }

    /** Opens the next draft beside the active version, as a copy of it; one that is open already stays as it is. */
    public CatalogAnswer<Saved> openDraft(TenantId tenant, WorkflowId id, OptionalLong expectedRevision)
            throws JournalException {
        return change(tenant, id, expectedRevision, found -> {
            if (found.isEmpty()) {
                return Change.none(new Unknown<>(id));
            }
            WorkflowRow row = found.get();
            if (row.status() == WorkflowStatus.ARCHIVED) {
                return Change.none(new Refused<>(Refusal.ARCHIVED, row));
            }
            if (row.draft().isPresent()) {
                return Change.none(new Done<>(new Saved(row, false)));
            }
            byte[] current = current(row).source();
            return Change.to(Rows.withDraft(row, current, clock.now()), saved -> new Saved(saved, true));
        });
    }

    /** Opens the next draft with this source, or replaces the one that is open. */
    public CatalogAnswer<Saved> openDraft(TenantId tenant, WorkflowId id, byte[] source, OptionalLong expectedRevision)
            throws JournalException {
        return switch (compiler.compile(source)) {
            case Faulty faulty -> new Invalid<>(faulty.faults());
            case Compiled compiled ->
                change(tenant, id, expectedRevision, found -> {
                    if (found.isEmpty()) {
                        return Change.none(new Unknown<>(id));
                    }
                    WorkflowRow row = found.get();
                    if (!compiled.workflow().equals(id)) {
                        return Change.none(new Refused<>(Refusal.OTHER_ID, row));
                    }
                    if (row.status() == WorkflowStatus.ARCHIVED) {
                        return Change.none(new Refused<>(Refusal.ARCHIVED, row));
                    }
                    return replaceDraft(row, source, compiled);
                });
        };
    }

    /**
     * Makes the open draft a version, unless one with the same checksum exists, which is then the answer. With {@code
     * activate} that version becomes the current one and the draft is closed; without, the draft stays open. Where no
     * draft is open, the current version is the answer, and has the triggers that it declares.
     */
    public CatalogAnswer<Published> publish(
            TenantId tenant, WorkflowId id, boolean activate, OptionalLong expectedRevision) throws JournalException {
        return change(tenant, id, expectedRevision, found -> {
            if (found.isEmpty()) {
                return Change.none(new Unknown<>(id));
            }
            WorkflowRow row = found.get();
            if (row.status() == WorkflowStatus.ARCHIVED) {
                return Change.none(new Refused<>(Refusal.ARCHIVED, row));
            }
            if (row.draft().isEmpty()) {
                return again(row);
            }
            byte[] source = row.draft().get();
            return switch (compiler.compile(source)) {
                case Faulty faulty -> Change.none(new Invalid<>(faulty.faults()));
                case Compiled compiled -> publish(row, source, compiled, activate);
            };
        });
    }

    /**
     * Makes a definition the current version in one step, whatever is being drafted: creates the workflow if there is
     * none; does nothing if the definition is current already, unless triggers that it declares are missing. A draft that is open stays open, unless it is this one.
     */
    public CatalogAnswer<Published> release(TenantId tenant, byte[] source) throws JournalException {
        return switch (compiler.compile(source)) {
            case Faulty faulty -> new Invalid<>(faulty.faults());
            case Compiled compiled ->
                change(tenant, compiled.workflow(), OptionalLong.empty(), found -> {
                    WorkflowRow row = found.orElseGet(() -> created(tenant, source, compiled));
                    return row.status() == WorkflowStatus.ARCHIVED
                            ? Change.none(new Refused<>(Refusal.ARCHIVED, row))
                            : release(row, source, compiled);
                });
        };
    }

    /** Takes the workflow out of use: no new runs; those in flight go on. */
    public CatalogAnswer<WorkflowRow> archive(TenantId tenant, WorkflowId id, OptionalLong expectedRevision)
            throws JournalException {
        return turn(tenant, id, expectedRevision, WorkflowStatus.ARCHIVED);
    }

    /** Takes an archived workflow into use again, with the version that was current. */
    public CatalogAnswer<WorkflowRow> reactivate(TenantId tenant, WorkflowId id, OptionalLong expectedRevision)
            throws JournalException {
        return turn(tenant, id, expectedRevision, WorkflowStatus.ACTIVE);
    }

    /** Discards the draft that is open beside an active version. */
    public CatalogAnswer<WorkflowRow> discardDraft(TenantId tenant, WorkflowId id, OptionalLong expectedRevision)
            throws JournalException {
        return change(tenant, id, expectedRevision, found -> {
            if (found.isEmpty()) {
                return Change.none(new Unknown<>(id));
            }
            WorkflowRow row = found.get();
            if (row.draft().isEmpty()) {
                return Change.none(new Refused<>(Refusal.NO_DRAFT, row));
            }
            if (row.currentVersion() == 0) {
                return Change.none(new Refused<>(Refusal.NEVER_ACTIVATED, row));
            }
            return Change.to(Rows.withoutDraft(row, clock.now()), saved -> saved);
        });
    }

    /** Deletes a workflow that was never active, with the versions that were staged for it; answers what it was. */
    public CatalogAnswer<WorkflowRow> delete(TenantId tenant, WorkflowId id, OptionalLong expectedRevision)
            throws JournalException {
        for (int i = 0; i < TRIES; i++) {
            Optional<WorkflowRow> found = store.find(tenant, id);
            if (found.isEmpty()) {
                return new Unknown<>(id);
            }
            WorkflowRow row = found.get();
            if (expectedRevision.isPresent() && expectedRevision.getAsLong() != row.revision()) {
                return new Changed<>(id);
            }
            if (row.status() != WorkflowStatus.DRAFT) {
                return new Refused<>(Refusal.WAS_ACTIVE, row);
            }
            if (store.deleteDraft(tenant, id, row.revision())) {
                return new Done<>(row);
            }
            if (store.find(tenant, id)
                    .filter(it -> it.revision() == row.revision())
                    .isPresent()) {
                return new Refused<>(Refusal.HAS_RUNS, row);
            }
        }
        return new Changed<>(id);
    }

    /** The program of the draft that is open, stored by its hash like a version's; no version comes of it. */
    public CatalogAnswer<Sha256> draftProgram(WorkflowRow row) throws JournalException {
        if (row.draft().isEmpty()) {
            return new Refused<>(Refusal.NO_DRAFT, row);
        }
        return switch (compiler.compile(row.draft().get())) {
            case Faulty faulty -> new Invalid<>(faulty.faults());
            case Compiled compiled -> {
                store.keepProgram(row.tenant(), compiled.program(), compiled.programBytes());
                yield new Done<>(compiled.program());
            }
        };
    }

    public Optional<WorkflowRow> find(TenantId tenant, WorkflowId id) throws JournalException {
        return store.find(tenant, id);
    }

    public Optional<WorkflowVersion> version(TenantId tenant, WorkflowId id, int version) throws JournalException {
        return store.version(tenant, id, version);
    }

    /** Its versions, the newest first, those before a number, at most a page. */
    public List<WorkflowVersionEntry> versions(TenantId tenant, WorkflowId id, OptionalInt before, int limit)
            throws JournalException {
        return store.versions(tenant, id, before, limit);
    }

    /** By id, after one, at most a page. */
    public List<WorkflowRow> list(
            TenantId tenant, Optional<WorkflowStatus> status, Optional<WorkflowId> after, int limit)
            throws JournalException {
        return store.list(tenant, status, after, limit);
    }

    private WorkflowRow created(TenantId tenant, byte[] source, Compiled compiled) {
        return Rows.created(tenant, compiled, source, clock.now());
    }

    private Change<Saved> saveOver(WorkflowRow row, byte[] source, Compiled compiled) {
        if (row.status() == WorkflowStatus.ARCHIVED) {
            return Change.none(new Refused<>(Refusal.ARCHIVED_IS_IMMUTABLE, row));
        }
        if (row.draft().isEmpty()) {
            return Change.none(new Refused<>(Refusal.ACTIVE_IS_IMMUTABLE, row));
        }
        return replaceDraft(row, source, compiled);
    }

    private Change<Saved> replaceDraft(WorkflowRow row, byte[] source, Compiled compiled) {
        boolean opens = row.draft().isEmpty();
        WorkflowRow next = Rows.withDraft(row, source, clock.now());
        // What starts see keeps its name until the draft is published.
        WorkflowRow named = row.currentVersion() == 0 ? Rows.named(next, compiled) : next;
        return Change.to(named, saved -> new Saved(saved, opens));
    }

    private Change<Published> publish(WorkflowRow row, byte[] source, Compiled compiled, boolean activate)
            throws JournalException {
        Optional<WorkflowVersion> same = store.versionByChecksum(row.tenant(), row.id(), compiled.checksum());
        int version = same.map(WorkflowVersion::version).orElse(row.latestVersion() + 1);
        if (same.isPresent() && !activate) {
            return Change.none(new Done<>(new Published(row, version, false)));
        }
        WorkflowRow published = Rows.published(row, version, clock.now());
        WorkflowRow next = activate
                ? Rows.activated(Rows.withoutDraft(Rows.named(published, compiled), clock.now()), version)
                : published;
        return write(next, source, compiled, version, same.isEmpty(), activate);
    }

    private Change<Published> release(WorkflowRow row, byte[] source, Compiled compiled) throws JournalException {
        Optional<WorkflowVersion> same = store.versionByChecksum(row.tenant(), row.id(), compiled.checksum());
        int version = same.map(WorkflowVersion::version).orElse(row.latestVersion() + 1);
        if (row.status() == WorkflowStatus.ACTIVE && row.currentVersion() == version) {
            return again(row, source, compiled);
        }
        WorkflowRow published = Rows.named(Rows.published(row, version, clock.now()), compiled);
        boolean drafted = row.draft().isPresent() && sameDefinition(row.draft().get(), compiled);
        WorkflowRow next =
                Rows.activated(drafted ? Rows.withoutDraft(published, published.updatedAt()) : published, version);
        return write(next, source, compiled, version, same.isEmpty(), true);
    }

    private Change<Published> again(WorkflowRow row) throws JournalException {
        Optional<WorkflowVersion> current = store.version(row.tenant(), row.id(), row.currentVersion());
        return current.isPresent() && compiler.compile(current.get().source()) instanceof Compiled compiled
                ? again(row, current.get().source(), compiled)
                : Change.none(new Done<>(new Published(row, row.currentVersion(), false)));
    }

    /** Of a version that was made current by a node that knew of no triggers, there are none yet, or those of another one. */
    private Change<Published> again(WorkflowRow row, byte[] source, Compiled compiled) throws JournalException {
        return store.declares(row.tenant(), row.id(), compiled.triggers())
                ? Change.none(new Done<>(new Published(row, row.currentVersion(), false)))
                : write(row, source, compiled, row.currentVersion(), false, true);
    }

    private boolean sameDefinition(byte[] draft, Compiled compiled) {
        return compiler.compile(draft) instanceof Compiled other
                && other.checksum().equals(compiled.checksum());
    }

    private static Change<Published> write(
            WorkflowRow next, byte[] source, Compiled compiled, int version, boolean isNew, boolean activates) {
        Optional<WorkflowVersion> added = isNew
                ? Optional.of(new WorkflowVersion(
                        next.tenant(),
                        next.id(),
                        version,
                        source,
                        compiled.checksum(),
                        compiled.program(),
                        compiled.programBytes(),
                        next.updatedAt()))
                : Optional.empty();
        return new Change.Write<>(
                next,
                added,
                activates ? Optional.of(compiled.triggers()) : Optional.empty(),
                saved -> new Published(saved, version, isNew));
    }

    private CatalogAnswer<WorkflowRow> turn(
            TenantId tenant, WorkflowId id, OptionalLong expectedRevision, WorkflowStatus target)
            throws JournalException {
        return change(tenant, id, expectedRevision, found -> {
            if (found.isEmpty()) {
                return Change.none(new Unknown<>(id));
            }
            WorkflowRow row = found.get();
            if (row.status() == WorkflowStatus.DRAFT) {
                return Change.none(new Refused<>(Refusal.NEVER_ACTIVATED, row));
            }
            if (row.status() == target) {
                return Change.none(new Done<>(row));
            }
            return Change.to(Rows.turned(row, target, clock.now()), saved -> saved);
        });
    }

    private WorkflowVersion current(WorkflowRow row) throws JournalException {
        return store.version(row.tenant(), row.id(), row.currentVersion())
                .orElseThrow(() -> new IllegalStateException(
                        "workflow " + row.id() + " points at version " + row.currentVersion() + ", which isn't there"));
    }

    /** Decides on the stored row and writes, again if somebody else was faster and the caller didn't name a revision. */
    private <T> CatalogAnswer<T> change(
            TenantId tenant, WorkflowId id, OptionalLong expectedRevision, Change.Decision<T> decision)
            throws JournalException {
        for (int i = 0; i < TRIES; i++) {
            Optional<WorkflowRow> found = store.find(tenant, id);
            long revision = found.map(WorkflowRow::revision).orElse(0L);
            if (expectedRevision.isPresent() && expectedRevision.getAsLong() != revision) {
                return new Changed<>(id);
            }
            switch (decision.on(found)) {
                case Change.None<T>(CatalogAnswer<T> answer) -> {
                    return answer;
                }
                case Change.Write<T> write -> {
                    Optional<WorkflowRow> saved = store.save(write.row(), revision, write.version(), write.triggers());
                    if (saved.isPresent()) {
                        return new Done<>(write.answer().apply(saved.get()));
                    }
                }
            }
        }
        return new Changed<>(id);
    }
}
