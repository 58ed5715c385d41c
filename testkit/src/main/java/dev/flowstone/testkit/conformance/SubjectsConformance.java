package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.SubjectMessage;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredSubject;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.subject.MutationAnswer;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.read.EditWindow;
import dev.flowstone.kernel.state.RunStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the journal and whoever edits subjects owe each other (R16). */
public abstract class SubjectsConformance extends PortsConformance {
    private static final Subject INVOICE = new Subject("invoice", "7");
    private static final EditWindow AMEND = EditWindow.of(EditWindow.Mode.AMEND_ONLY);

    /** Run by the ports under test. */
    protected SubjectsConformance() {}

    private static WindowRow first(EditWindow window, long version, boolean exclusive) {
        return new WindowRow(INVOICE, true, Optional.of(window), version, exclusive, true);
    }

    private static WindowRow later(Optional<EditWindow> window, long version, boolean live) {
        return new WindowRow(INVOICE, false, window, version, false, live);
    }

    private RunMove birth(RunKey run, WindowRow window) {
        return creation(run).entry(1).window(window).build();
    }

    private RunMove next(RunKey run, long after, WindowRow window) {
        return move(run, after).entry(1).window(window).build();
    }

    private RunMove end(RunKey run, long after, WindowRow window) {
        return move(run, after)
                .entry(1)
                .status(RunStatus.SUCCEEDED)
                .window(window)
                .build();
    }

    private Optional<StoredSubject> stored(Lease lease) throws JournalException {
        SubjectKey key = new SubjectKey(ACME, INVOICE);
        return Optional.ofNullable(
                ports().journal().subjects(lease.shard().id(), List.of(key)).get(key));
    }

    private MutationAnswer edit(long version, String... fields) throws Exception {
        return edit(version, Optional.empty(), fields);
    }

    private MutationAnswer edit(long version, Optional<EditWindow> tighten, String... fields) throws Exception {
        return ports().subjects()
                .mutate(new SubjectChange(ACME, INVOICE, version, Set.of(fields), tighten), (sql, next) -> {});
    }

    private static void assertLocked(MutationAnswer answer) {
        assertEquals(
                MutationAnswer.Code.WORKFLOW_EDIT_LOCKED,
                assertInstanceOf(MutationAnswer.Refused.class, answer).code());
    }

    private static MutationAnswer.Done done(MutationAnswer answer) {
        return assertInstanceOf(MutationAnswer.Done.class, answer);
    }

    /** Whether it is refused: by what the commit throws, or by not moving. */
    private boolean isRefused(Lease lease, RunMove... moves) throws JournalException {
        List<RunMove> sorted = new ArrayList<>(List.of(moves));
        sorted.sort(Comparator.comparing(RunMove::key));
        try {
            return ports().journal()
                            .commit(new Commit(lease, sorted, List.of()))
                            .moved()
                            .size()
                    < moves.length;
        } catch (JournalException.SubjectTaken e) {
            return true;
        }
    }

    @Test
    void aRunThatIsBoundIsToldOfUntilItEnds() throws Exception {
        Lease lease = lease(0);
        RunKey run = run(ACME, 0);
        assertEquals(Optional.empty(), stored(lease));

        commit(lease, birth(run, first(EditWindow.OPEN, 5, true)));

        assertEquals(
                Optional.of(new StoredSubject(5, List.of(new StoredSubject.Bound(run.run(), true)))), stored(lease));

        commit(lease, end(run, 1, later(Optional.empty(), 5, false)));

        assertEquals(Optional.of(new StoredSubject(5, List.of())), stored(lease));
    }

    @Test
    void aRunIsNotBoundBesideOneThatMustBeAlone() throws Exception {
        Lease lease = lease(0);
        RunKey alone = run(ACME, 0);
        commit(lease, birth(alone, first(EditWindow.OPEN, 1, true)));

        assertTrue(isRefused(lease, birth(run(ACME, 0), first(EditWindow.OPEN, 1, true))));
        assertTrue(isRefused(lease, birth(run(ACME, 0), first(EditWindow.OPEN, 1, false))));
        commit(lease, birth(run(OTHER, 0), first(EditWindow.OPEN, 1, true)));
        commit(lease, end(alone, 1, later(Optional.empty(), 1, false)));
        commit(lease, birth(run(ACME, 0), first(EditWindow.OPEN, 1, true)));
    }

    @Test
    void aRunThatMustBeAloneIsNotBoundBesideAnother() throws Exception {
        Lease lease = lease(0);
        commit(lease, birth(run(ACME, 0), first(EditWindow.OPEN, 1, false)));
        commit(lease, birth(run(ACME, 0), first(EditWindow.OPEN, 1, false)));

        assertTrue(isRefused(lease, birth(run(ACME, 0), first(EditWindow.OPEN, 1, true))));
    }

    @Test
    void twoThatMustBeAloneInOneCommitAreNotBothBound() throws Exception {
        Lease lease = lease(0);

        try {
            assertTrue(isRefused(
                    lease,
                    birth(run(ACME, 0), first(EditWindow.OPEN, 1, true)),
                    birth(run(ACME, 0), first(EditWindow.OPEN, 1, true))));
        } catch (JournalException.BadData e) {
            assertEquals(Optional.empty(), stored(lease));
        }
    }

    @Test
    void aRunIsNotBoundToAVersionThatIsKnownToBeOld() throws Exception {
        Lease lease = lease(0);
        done(edit(4));

        assertTrue(isRefused(lease, birth(run(ACME, 0), first(EditWindow.OPEN, 4, false))));
        commit(lease, birth(run(ACME, 0), first(EditWindow.OPEN, 5, false)));
    }

    @Test
    void anEditRaisesTheVersionAndTellsTheRunsThatLive() throws Exception {
        Lease lease = lease(0);
        RunKey run = run(ACME, 0);
        commit(lease, birth(run, first(EditWindow.OPEN, 5, false)));

        MutationAnswer.Done done = done(edit(5));

        assertEquals(new MutationAnswer.Done(6, EditWindow.OPEN, List.of(run.run())), done);
        List<InboxMessage> told = ports().journal().inbox(lease, 10);
        assertEquals(1, told.size());
        assertEquals(run.run(), told.getFirst().run());
        assertEquals(SubjectMessage.KIND, told.getFirst().kind());
        assertEquals(new SubjectMessage(6), SubjectMessage.read(told.getFirst().content()));
        assertEquals(
                MutationAnswer.Code.STALE_SUBJECT_VERSION,
                assertInstanceOf(MutationAnswer.Refused.class, edit(5)).code());
    }

    @Test
    void anEditOfASubjectWithoutRunsIsAllowed() throws Exception {
        assertEquals(new MutationAnswer.Done(1, EditWindow.OPEN, List.of()), edit(0));
        assertEquals(new MutationAnswer.Done(2, EditWindow.OPEN, List.of()), edit(1, "note"));
    }

    @Test
    void anEditIsJudgedByTheWindowAlsoAfterTheRunsEnd() throws Exception {
        Lease lease = lease(0);
        RunKey run = run(ACME, 0);
        commit(lease, birth(run, first(AMEND, 1, false)));
        assertEquals(AMEND, done(edit(1)).window());

        commit(lease, next(run, 1, later(Optional.of(EditWindow.LOCKED), 2, true)));
        assertLocked(edit(2));

        commit(lease, end(run, 2, later(Optional.empty(), 2, false)));
        assertLocked(edit(2));

        commit(lease, birth(run(ACME, 0), first(EditWindow.OPEN, 2, true)));
        done(edit(2));
    }

    @Test
    void onlyTheFieldsOfTheWindowMayBeEdited() throws Exception {
        Lease lease = lease(0);
        EditWindow some = new EditWindow(EditWindow.Mode.EDITABLE, Optional.of(List.of("note", "tags")));
        commit(lease, birth(run(ACME, 0), first(some, 1, false)));

        assertLocked(edit(1));
        assertLocked(edit(1, "note", "amount"));
        done(edit(1, "note"));
    }

    @Test
    void theStrictestOfTheRunsThatLiveCounts() throws Exception {
        Lease lease = lease(0);
        RunKey strict = run(ACME, 0);
        commit(lease, birth(run(ACME, 0), first(AMEND, 1, false)));
        commit(lease, birth(strict, first(EditWindow.LOCKED, 1, false)));
        assertLocked(edit(1));

        commit(lease, end(strict, 1, later(Optional.empty(), 1, false)));

        assertEquals(AMEND, done(edit(1)).window());
    }

    @Test
    void whatAnEditTightenedHoldsUntilTheRunKnowsOfTheEdit() throws Exception {
        Lease lease = lease(0);
        RunKey run = run(ACME, 0);
        commit(lease, birth(run, first(EditWindow.OPEN, 1, false)));

        done(edit(1, Optional.of(EditWindow.LOCKED)));
        assertLocked(edit(2));
        commit(lease, next(run, 1, later(Optional.of(EditWindow.OPEN), 1, true)));
        assertLocked(edit(2));
        commit(lease, next(run, 2, later(Optional.of(AMEND), 2, true)));

        assertEquals(AMEND, done(edit(2)).window());
    }

    @Test
    void aMoveThatLosesChangesNoWindow() throws Exception {
        Lease lease = lease(0);
        RunKey run = run(ACME, 0);
        commit(lease, birth(run, first(EditWindow.OPEN, 1, false)));

        assertTrue(isRefused(lease, next(run, 7, later(Optional.of(EditWindow.LOCKED), 1, true))));

        done(edit(1));
    }

    @Test
    void anEditThatFailsChangesNothing() throws Exception {
        Lease lease = lease(0);
        commit(lease, birth(run(ACME, 0), first(EditWindow.OPEN, 1, false)));

        assertThrows(
                IllegalStateException.class,
                () -> ports().subjects()
                        .mutate(new SubjectChange(ACME, INVOICE, 1, Set.of(), Optional.empty()), (sql, next) -> {
                            throw new IllegalStateException("on purpose");
                        }));

        assertEquals(1, stored(lease).orElseThrow().version());
        assertEquals(List.of(), ports().journal().inbox(lease, 10));
    }
}
