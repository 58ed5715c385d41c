package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.WorkflowVersionEntry;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** How definitions are kept. */
public abstract class WorkflowStoreConformance extends PortsConformance {
    private static final WorkflowId ID = new WorkflowId("greet");

    private WorkflowStore store() {
        return ports().workflows();
    }

    private WorkflowRow row(TenantId tenant, WorkflowId id, String name, int latest, Optional<String> draft) {
        return new WorkflowRow(
                tenant,
                id,
                name,
                Optional.of("says hello"),
                latest == 0 ? WorkflowStatus.DRAFT : WorkflowStatus.ACTIVE,
                true,
                latest,
                latest,
                draft.or(() -> latest == 0 ? Optional.of("{}") : Optional.empty())
                        .map(WorkflowStoreConformance::bytes),
                now(),
                now(),
                0);
    }

    private WorkflowRow draft(String name) {
        return row(ACME, ID, name, 0, Optional.of("{ \"id\" : \"greet\" }"));
    }

    private WorkflowVersion version(TenantId tenant, WorkflowId id, int number, String source) {
        byte[] program = bytes("program of " + source);
        return new WorkflowVersion(
                tenant,
                id,
                number,
                bytes(source),
                Sha256.digest(bytes(source)),
                Sha256.digest(program),
                program,
                now());
    }

    @Test
    void aDraftIsKeptExactlyAndItsRevisionGrows() throws JournalException {
        WorkflowRow first = store().save(draft("Hello"), 0, Optional.empty()).orElseThrow();
        WorkflowRow second = store().save(draft("Hello again"), first.revision(), Optional.empty())
                .orElseThrow();

        assertTrue(first.revision() > 0);
        assertTrue(second.revision() > first.revision());
        WorkflowRow found = store().find(ACME, ID).orElseThrow();
        assertEquals("Hello again", found.displayName());
        assertEquals(Optional.of("says hello"), found.description());
        assertEquals(WorkflowStatus.DRAFT, found.status());
        assertTrue(found.enabled());
        assertEquals(second.revision(), found.revision());
        assertArrayEquals(bytes("{ \"id\" : \"greet\" }"), found.draft().orElseThrow());
        assertEquals(Optional.empty(), store().find(OTHER, ID));
        assertEquals(Optional.empty(), store().find(ACME, new WorkflowId("another")));
    }

    @Test
    void aStaleRevisionChangesNothing() throws JournalException {
        WorkflowRow first = store().save(draft("Hello"), 0, Optional.empty()).orElseThrow();
        store().save(draft("Second"), first.revision(), Optional.empty());

        assertEquals(Optional.empty(), store().save(draft("Stale"), first.revision(), Optional.empty()));
        assertEquals(Optional.empty(), store().save(draft("New"), 0, Optional.empty()));
        assertEquals(
                Optional.empty(),
                store().save(row(ACME, new WorkflowId("absent"), "x", 0, Optional.empty()), 4, Optional.empty()));
        assertEquals("Second", store().find(ACME, ID).orElseThrow().displayName());
        assertEquals(Optional.empty(), store().find(ACME, new WorkflowId("absent")));
    }

    @Test
    void aVersionComesWithItsRowOrNotAtAll() throws JournalException {
        WorkflowRow first = store().save(draft("Hello"), 0, Optional.empty()).orElseThrow();
        WorkflowVersion version = version(ACME, ID, 1, "one");

        assertEquals(
                Optional.empty(),
                store().save(row(ACME, ID, "x", 1, Optional.empty()), first.revision() + 5, Optional.of(version)));
        assertEquals(Optional.empty(), store().version(ACME, ID, 1));
        assertEquals(Optional.empty(), store().program(ACME, version.program()));

        assertTrue(store().save(row(ACME, ID, "Hello", 1, Optional.empty()), first.revision(), Optional.of(version))
                .isPresent());

        WorkflowVersion found = store().version(ACME, ID, 1).orElseThrow();
        assertArrayEquals(version.source(), found.source());
        assertArrayEquals(version.programBytes(), found.programBytes());
        assertEquals(version.checksum(), found.checksum());
        assertEquals(version.program(), found.program());
        assertEquals(version.publishedAt(), found.publishedAt());
        WorkflowRow row = store().find(ACME, ID).orElseThrow();
        assertEquals(1, row.currentVersion());
        assertEquals(WorkflowStatus.ACTIVE, row.status());
        assertTrue(row.draft().isEmpty());
    }

    @Test
    void aPublishedVersionNeverChanges() throws JournalException {
        WorkflowRow row = store().save(
                        row(ACME, ID, "Hello", 1, Optional.empty()), 0, Optional.of(version(ACME, ID, 1, "one")))
                .orElseThrow();

        assertThrows(
                Exception.class,
                () -> store().save(
                                row(ACME, ID, "Hello", 1, Optional.empty()),
                                row.revision(),
                                Optional.of(version(ACME, ID, 1, "another"))));

        assertArrayEquals(
                bytes("one"), store().version(ACME, ID, 1).orElseThrow().source());
        assertEquals(row.revision(), store().find(ACME, ID).orElseThrow().revision(), "the row didn't move either");
    }

    @Test
    void findsVersionsByChecksumAndProgramsByHash() throws JournalException {
        WorkflowVersion one = version(ACME, ID, 1, "one");
        WorkflowVersion two = version(ACME, ID, 2, "two");
        WorkflowRow row = store().save(row(ACME, ID, "Hello", 1, Optional.empty()), 0, Optional.of(one))
                .orElseThrow();
        store().save(row(ACME, ID, "Hello", 2, Optional.empty()), row.revision(), Optional.of(two));

        assertEquals(
                2,
                store().versionByChecksum(ACME, ID, two.checksum())
                        .orElseThrow()
                        .version());
        assertEquals(
                1,
                store().versionByChecksum(ACME, ID, one.checksum())
                        .orElseThrow()
                        .version());
        assertEquals(Optional.empty(), store().versionByChecksum(ACME, new WorkflowId("b"), one.checksum()));
        assertEquals(Optional.empty(), store().versionByChecksum(OTHER, ID, one.checksum()));
        assertArrayEquals(
                one.programBytes(), store().program(ACME, one.program()).orElseThrow());
        assertEquals(Optional.empty(), store().program(OTHER, one.program()));
        assertEquals(Optional.empty(), store().program(ACME, Sha256.ZERO));
        assertEquals(Optional.empty(), store().version(ACME, ID, 3));
        assertEquals(Optional.empty(), store().version(OTHER, ID, 1));
    }

    @Test
    void aDraftsProgramIsKeptWithoutAVersionAndOnlyOnce() throws JournalException {
        byte[] program = bytes("program of a draft");
        Sha256 hash = Sha256.digest(program);
        store().keepProgram(ACME, hash, program);
        store().keepProgram(ACME, hash, program);

        assertArrayEquals(program, store().program(ACME, hash).orElseThrow());
        assertEquals(Optional.empty(), store().program(OTHER, hash));

        WorkflowVersion version = version(ACME, ID, 1, "{}");
        WorkflowVersion same = new WorkflowVersion(
                ACME, ID, 1, version.source(), version.checksum(), hash, program, version.publishedAt());
        store().save(row(ACME, ID, "Hello", 1, Optional.empty()), 0, Optional.of(same));
        assertEquals(hash, store().version(ACME, ID, 1).orElseThrow().program());
    }

    @Test
    void versionsAreListedTheNewestFirst() throws JournalException {
        WorkflowVersion one = version(ACME, ID, 1, "one");
        store().save(row(ACME, ID, "Hello", 1, Optional.empty()), 0, Optional.of(one));
        store().save(row(ACME, ID, "Hello", 2, Optional.empty()), 1, Optional.of(version(ACME, ID, 2, "two")));
        WorkflowVersionEntry first = new WorkflowVersionEntry(1, one.checksum(), one.program(), one.publishedAt());

        List<WorkflowVersionEntry> all = store().versions(ACME, ID, OptionalInt.empty(), 10);

        assertEquals(
                List.of(2, 1), all.stream().map(WorkflowVersionEntry::version).toList());
        assertEquals(first, all.getLast());
        assertEquals(List.of(all.getFirst()), store().versions(ACME, ID, OptionalInt.empty(), 1));
        assertEquals(List.of(first), store().versions(ACME, ID, OptionalInt.of(2), 10));
        assertEquals(List.of(), store().versions(ACME, ID, OptionalInt.of(1), 10));
        assertEquals(List.of(), store().versions(OTHER, ID, OptionalInt.empty(), 10));
    }

    @Test
    void twoWorkflowsMayShareAProgram() throws JournalException {
        WorkflowId twin = new WorkflowId("twin");
        store().save(row(ACME, ID, "a", 1, Optional.empty()), 0, Optional.of(version(ACME, ID, 1, "same")));
        assertTrue(
                store().save(row(ACME, twin, "b", 1, Optional.empty()), 0, Optional.of(version(ACME, twin, 1, "same")))
                        .isPresent());
        assertTrue(store().save(row(OTHER, ID, "c", 1, Optional.empty()), 0, Optional.of(version(OTHER, ID, 1, "same")))
                .isPresent());

        assertEquals(
                store().version(ACME, ID, 1).orElseThrow().program(),
                store().version(ACME, twin, 1).orElseThrow().program());
    }

    @Test
    void listsByIdInPagesAndByStatus() throws JournalException {
        for (String id : List.of("c", "a", "e", "b", "d")) {
            WorkflowId workflow = new WorkflowId(id);
            boolean published = id.equals("b") || id.equals("d");
            store().save(
                            row(ACME, workflow, id, published ? 1 : 0, Optional.empty()),
                            0,
                            published ? Optional.of(version(ACME, workflow, 1, id)) : Optional.empty());
        }
        store().save(row(OTHER, ID, "theirs", 0, Optional.empty()), 0, Optional.empty());

        List<WorkflowRow> page = store().list(ACME, Optional.empty(), Optional.empty(), 3);
        assertEquals(
                List.of("a", "b", "c"), page.stream().map(r -> r.id().value()).toList());
        assertEquals(
                List.of("d", "e"),
                store().list(ACME, Optional.empty(), Optional.of(page.getLast().id()), 3).stream()
                        .map(r -> r.id().value())
                        .toList());
        assertEquals(
                List.of("b", "d"),
                store().list(ACME, Optional.of(WorkflowStatus.ACTIVE), Optional.empty(), 10).stream()
                        .map(r -> r.id().value())
                        .toList());
    }

    @Test
    void onlyWhatWasNeverActiveIsDeleted() throws JournalException {
        WorkflowRow draft = store().save(draft("Hello"), 0, Optional.empty()).orElseThrow();

        assertFalse(store().deleteDraft(ACME, ID, draft.revision() + 1));
        assertFalse(store().deleteDraft(OTHER, ID, draft.revision()));
        assertTrue(store().deleteDraft(ACME, ID, draft.revision()));
        assertEquals(Optional.empty(), store().find(ACME, ID));
        assertFalse(store().deleteDraft(ACME, ID, draft.revision()));

        WorkflowRow published = store().save(
                        row(ACME, ID, "Hello", 1, Optional.empty()), 0, Optional.of(version(ACME, ID, 1, "one")))
                .orElseThrow();
        assertFalse(store().deleteDraft(ACME, ID, published.revision()));
        assertTrue(store().find(ACME, ID).isPresent());
        assertTrue(store().version(ACME, ID, 1).isPresent());
    }

    @Test
    void aDraftTakesAlongWhatWasStagedForItAndNothingElse() throws JournalException {
        WorkflowId twin = new WorkflowId("twin");
        WorkflowVersion version = version(ACME, ID, 1, "same");
        store().save(row(ACME, twin, "b", 1, Optional.empty()), 0, Optional.of(version(ACME, twin, 1, "same")));
        store().save(row(OTHER, ID, "c", 1, Optional.empty()), 0, Optional.of(version(OTHER, ID, 1, "same")));
        WorkflowRow draft = store().save(draft("Hello"), 0, Optional.empty()).orElseThrow();
        WorkflowRow staged = store().save(staged(draft), draft.revision(), Optional.of(version))
                .orElseThrow();
        assertTrue(store().version(ACME, ID, 1).isPresent());

        assertTrue(store().deleteDraft(ACME, ID, staged.revision()));

        assertEquals(Optional.empty(), store().version(ACME, ID, 1));
        assertEquals(Optional.empty(), store().versionByChecksum(ACME, ID, version.checksum()));
        assertArrayEquals(
                version.programBytes(), store().program(ACME, version.program()).orElseThrow());
        assertTrue(store().version(ACME, twin, 1).isPresent());
        assertTrue(store().version(OTHER, ID, 1).isPresent());
        assertTrue(
                store().save(row(ACME, ID, "again", 1, Optional.empty()), 0, Optional.of(version(ACME, ID, 1, "new")))
                        .isPresent());
    }

    @Test
    void aDraftWithStagedVersionsStaysAsLongAsThereAreRunsOfIt() throws JournalException {
        WorkflowRow draft = store().save(draft("Hello"), 0, Optional.empty()).orElseThrow();
        WorkflowRow staged = store().save(staged(draft), draft.revision(), Optional.of(version(ACME, ID, 1, "one")))
                .orElseThrow();
        WorkflowId twin = new WorkflowId("twin");
        WorkflowRow alone = store().save(row(ACME, twin, "b", 0, Optional.of("{}")), 0, Optional.empty())
                .orElseThrow();
        Lease lease = lease(0);
        commit(
                lease,
                creation(run(0)).workflow(ID).build(),
                creation(run(0)).workflow(twin).build());

        assertFalse(store().deleteDraft(ACME, ID, staged.revision()));
        assertTrue(store().version(ACME, ID, 1).isPresent());
        assertTrue(store().deleteDraft(ACME, twin, alone.revision()), "its runs can't have moved anywhere");
    }

    private WorkflowRow staged(WorkflowRow draft) {
        return new WorkflowRow(
                draft.tenant(),
                draft.id(),
                draft.displayName(),
                draft.description(),
                WorkflowStatus.DRAFT,
                true,
                0,
                1,
                draft.draft(),
                draft.createdAt(),
                draft.updatedAt(),
                draft.revision());
    }

    @Test
    void ofTwoThatSaveAtOnceOneWins() throws Exception {
        WorkflowRow row = store().save(draft("Hello"), 0, Optional.empty()).orElseThrow();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Optional<WorkflowRow>>> tries = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                WorkflowRow mine = draft("try " + i);
                tries.add(() -> store().save(mine, row.revision(), Optional.empty()));
            }
            int won = 0;
            for (Future<Optional<WorkflowRow>> done : threads.invokeAll(tries)) {
                won += done.get().isPresent() ? 1 : 0;
            }
            assertEquals(1, won);
        }
    }
}
