package dev.flowstone.server.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.ChildControlled;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.execution.Family.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of a tree of runs: whole and in order whatever they end in, each of a bounded cost. */
final class FamilyTest {
    private static final RunId TOP = Logs.run(0);
    private static final int EVENTS = 1_000;

    /** What is read beside the walk: who called whom, where to begin, and how those that aren't there ended. */
    private static final int MOST_READ = 3 * EVENTS;

    private final Logs logs = new Logs();

    private static RunId run(long number) {
        return Logs.run(number);
    }

    private Family family() {
        return new Family(logs, Logs.TENANT, EVENTS);
    }

    private Family.Page page(Optional<FamilyPlace> from, int limit) throws Exception {
        logs.read();
        Family.Page page = family().page(TOP, from, limit).orElseThrow();
        assertTrue(page.members().size() <= limit);
        long read = logs.read();
        assertTrue(read <= MOST_READ, () -> "entries read: " + read);
        return page;
    }

    /** All pages; a place goes through its text, as cursors do. */
    private List<Family.Page> pages(int limit) throws Exception {
        List<Family.Page> pages = new ArrayList<>(List.of(page(Optional.empty(), limit)));
        while (pages.getLast().next().isPresent()) {
            assertTrue(pages.size() < 1_000, "no end");
            String cursor = pages.getLast().next().get().toString();
            pages.add(page(Optional.of(FamilyPlace.parse(cursor)), limit));
        }
        return pages;
    }

    private static List<Member> members(List<Family.Page> pages) {
        return pages.stream().flatMap(page -> page.members().stream()).toList();
    }

    private static List<RunId> runs(List<Family.Page> pages) {
        return members(pages).stream().map(Member::run).toList();
    }

    private static List<RunId> runs(long... numbers) {
        return LongStream.of(numbers).mapToObj(Logs::run).toList();
    }

    /** The top calls 1, which calls 2 and 3; then 4, which isn't there; then 5, which calls 6. */
    private void tree() {
        logs.add(TOP, Logs.other(), Logs.calls("a", run(1)), Logs.other(), Logs.calls("b", run(4)));
        logs.add(TOP, Logs.calls("c", run(5)), Logs.other());
        logs.add(run(1), Logs.calledBy(TOP), Logs.calls("a", run(2)), Logs.calls("b", run(3)));
        logs.add(run(2), Logs.calledBy(run(1)));
        logs.add(run(3), Logs.calledBy(run(1)));
        logs.add(run(5), Logs.calledBy(TOP), Logs.calls("a", run(6)));
        logs.add(run(6), Logs.calledBy(run(5)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void pagesGoOnBehindWhatHasNotBegun(int limit) throws Exception {
        tree();

        List<Family.Page> pages = pages(limit);

        assertEquals(runs(0, 1, 2, 3, 4, 5, 6), runs(pages));
        assertEquals(
                List.of(0, 1, 2, 2, 1, 1, 2),
                members(pages).stream().map(Member::depth).toList());
        assertEquals((7 + limit - 1) / limit, pages.size(), "a page is full, and none is empty");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void pagesGoOnBehindWhatWasArchived(int limit) throws Exception {
        tree();
        logs.add(TOP, Logs.ended("a", run(1), Message.Ended.SUCCEEDED));
        logs.remove(run(1));
        logs.remove(run(6));

        List<Family.Page> pages = pages(limit);

        assertEquals(runs(0, 1, 4, 5, 6), runs(pages), "what was below it isn't known any more");
        Optional<Child> archived = members(pages).get(1).child();
        assertEquals(Optional.of(Message.Ended.SUCCEEDED), archived.flatMap(Child::ended));
    }

    @Test
    void whatIsArchivedBetweenTwoPagesEndsNoList() throws Exception {
        tree();
        Family.Page first = page(Optional.empty(), 3);
        logs.remove(run(1));

        Family.Page second = page(first.next(), 10);

        assertEquals(runs(0, 1, 2), runs(List.of(first)));
        assertEquals(runs(4, 5, 6), runs(List.of(second)), "3 was known by a run that has gone");
    }

    /** Whoever reads that run is told; the others are shown. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8})
    void aDamagedLogHasNothingBelowItAndEndsNoTree(int limit) throws Exception {
        tree();
        logs.damage(run(1), 2);
        logs.damage(run(6), 1);

        assertEquals(runs(0, 1, 4, 5, 6), runs(pages(limit)));
        logs.damage(TOP, 4);
        assertEquals(runs(0, 1), runs(pages(limit)), "as far as its log can be read");
    }

    /** What its caller's log can't say isn't claimed. */
    @Test
    void aDamagedLogSaysNothingOfWhoIsStillExpected() throws Exception {
        logs.add(TOP, Logs.calls("a", run(1)));
        logs.add(TOP, IntStream.range(0, 600).mapToObj(_ -> Logs.other()).toArray(EventBody[]::new));
        logs.damage(TOP, 500);

        Family.Page page = page(Optional.empty(), 2);

        assertFalse(page.members().get(1).child().orElseThrow().expected());
    }

    /** Its end is told far behind its start. */
    @Test
    void howAnArchivedChildEndedIsHeardFromItsCallerLater() throws Exception {
        logs.add(TOP, Logs.calls("a", run(1)), Logs.calls("b", run(2)));
        logs.add(TOP, IntStream.range(0, 600).mapToObj(_ -> Logs.other()).toArray(EventBody[]::new));
        logs.add(TOP, Logs.ended("a", run(1), Message.Ended.FAILED));

        List<Member> members = members(pages(2));

        assertEquals(Optional.of(Message.Ended.FAILED), members.get(1).child().flatMap(Child::ended));
        assertTrue(members.get(2).child().orElseThrow().expected(), "its caller waits for it still");
    }

    @Test
    void whoseEndNobodyHearsIsToldApart() throws Exception {
        logs.add(TOP, Logs.calls("a", run(1)), Logs.calls("b", run(2)), Logs.calls("c", run(3)));
        logs.add(TOP, new ChildControlled(Logs.activation("a"), run(1), Message.Operation.CANCEL, "late"));
        logs.add(TOP, new ChildControlled(Logs.activation("b"), run(2), Message.Operation.SUSPEND, "held"));

        Family.Page page = page(Optional.empty(), 10);
        logs.end(TOP, RunStatus.CANCELED);
        Family.Page over = page(Optional.empty(), 10);

        assertFalse(page.members().get(1).child().orElseThrow().expected());
        assertTrue(page.members().get(2).child().orElseThrow().expected());
        assertFalse(page.isAlone(page.members().get(2)));
        assertTrue(over.isAlone(over.members().get(2)), "its caller is over");
    }

    /** Where the caller's log is too long to know, nothing is claimed. */
    @Test
    void whatCouldNotBeReadIsNotExpected() throws Exception {
        logs.add(TOP, Logs.calls("a", run(1)));
        logs.add(TOP, IntStream.range(0, 2 * EVENTS).mapToObj(_ -> Logs.other()).toArray(EventBody[]::new));

        Family.Page page = page(Optional.empty(), 2);

        assertFalse(page.members().get(1).child().orElseThrow().expected());
    }

    @Test
    void aParentOfThousandsCostsEachPageItsBound() throws Exception {
        int children = 3_000;
        for (int i = 1; i <= children; i++) {
            logs.add(TOP, Logs.calls("n" + i, run(i)));
            logs.add(run(i), Logs.calledBy(TOP), Logs.other(), Logs.other());
        }

        List<Family.Page> pages = pages(200);

        assertEquals(LongStream.rangeClosed(0, children).mapToObj(Logs::run).toList(), runs(pages));
        assertTrue(pages.size() < 40, () -> "pages: " + pages.size());
    }

    /** The last page reads as much as the first one, not all that is before it. */
    @Test
    void aPageReadsFromItsPlaceOn() throws Exception {
        for (int i = 1; i <= 5_000; i++) {
            logs.add(TOP, Logs.calls("n" + i, run(i)));
        }
        FamilyPlace late = new FamilyPlace(TOP, List.of(4_989L), 1);
        logs.read();

        Family.Page page = family().page(TOP, Optional.of(late), 20).orElseThrow();

        assertEquals(LongStream.rangeClosed(4_990, 5_000).mapToObj(Logs::run).toList(), runs(List.of(page)));
        assertTrue(logs.read() < 50);
    }

    @Test
    void aFullPageOpensNoChildThatItDoesNotPass() throws Exception {
        logs.add(TOP, Logs.calls("a", run(1)), Logs.calls("b", run(2)));
        logs.add(run(1), Logs.calledBy(TOP));
        logs.add(run(2), Logs.calledBy(TOP));
        logs.add(run(2), IntStream.range(0, 900).mapToObj(_ -> Logs.other()).toArray(EventBody[]::new));
        logs.read();

        Family.Page page = family().page(TOP, Optional.empty(), 2).orElseThrow();

        assertEquals(runs(0, 1), runs(List.of(page)));
        assertTrue(logs.read() < 10, "the log of the one that is next stays closed");
    }

    /** Where nothing is found within the bound, a page is empty and goes on. */
    @Test
    void aLongLogWithoutChildrenIsPassedPageByPage() throws Exception {
        logs.add(TOP, IntStream.range(0, 5 * EVENTS).mapToObj(_ -> Logs.other()).toArray(EventBody[]::new));
        logs.add(TOP, Logs.calls("a", run(1)));

        List<Family.Page> pages = pages(50);

        assertEquals(runs(0, 1), runs(pages));
        assertTrue(pages.size() > 3, () -> "pages: " + pages.size());
    }

    @Test
    void theTopIsFoundFromAnywhere() throws Exception {
        tree();
        for (long number : new long[] {0, 1, 2, 3, 5, 6}) {
            assertEquals(TOP, family().top(run(number)));
        }
        logs.remove(TOP);
        assertEquals(run(1), family().top(run(3)), "one that was archived is left out");
    }

    @Test
    void aPlaceThatIsNoneIsRefused() throws Exception {
        tree();
        for (FamilyPlace none : List.of(
                new FamilyPlace(run(1), List.of(), 1),
                new FamilyPlace(TOP, List.of(1L), 1),
                new FamilyPlace(TOP, List.of(0L), 1),
                new FamilyPlace(TOP, List.of(2L, 1L), 1))) {
            assertEquals(Optional.empty(), family().page(TOP, Optional.of(none), 10), none::toString);
        }
        for (String text :
                List.of("", " ", "x 1", TOP + "", TOP + " ", TOP + " -1", TOP + " 1 ", TOP + " 1234567890123456789")) {
            assertThrows(IllegalArgumentException.class, () -> FamilyPlace.parse(text), text);
        }
    }
}
