package dev.flowstone.server.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.Feed.FeedRow;
import dev.flowstone.engine.read.Feed.Moved;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.server.execution.Logs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is told of runs some of which can't be read: everything before the damage, and everything behind its commit. */
final class FeedWalkTest {
    private static final int STREAM = 1;
    private static final RunId RUN = Logs.run(1);
    private static final RunId BEFORE = Logs.run(2);
    private static final RunId BEHIND = Logs.run(3);

    private final Logs logs = new Logs();
    private final FeedWalk walk = new FeedWalk(new NoRows(), new RunHistory(logs), _ -> true);
    private final List<String> told = new ArrayList<>();
    private FeedPlace place = FeedPlace.BEGIN;

    /** The tests hand out the rows. */
    private static final class NoRows implements Feed {
        @Override
        public List<FeedRow> read(int stream, long after, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<Integer, Long> last(Collection<Integer> streams) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<Integer, Long> first(Collection<Integer> streams) {
            throw new UnsupportedOperationException();
        }
    }

    private void decided(RunId run, int events) {
        EventBody[] bodies = new EventBody[events];
        Arrays.fill(bodies, Logs.other());
        logs.decide(run, bodies);
    }

    private static FeedRow row(long number, Moved... moved) {
        return new FeedRow(STREAM, number, List.of(moved));
    }

    private static Moved moved(RunId run, long first, long last) {
        return new Moved(new RunKey(Logs.TENANT, run), first, last);
    }

    /** What a reader of the stream does, up to the row's end or the damage. */
    private void walk(FeedRow row) throws JournalException {
        assertTrue(walk.events(row, place, (event, behind) -> {
            told.add(event.id());
            place = behind;
            return true;
        }));
        place = FeedPlace.after(row.number());
    }

    private DamagedRunException walkToDamage(FeedRow row) {
        return assertThrows(DamagedRunException.class, () -> walk(row));
    }

    private static List<String> ids(RunId run, int first, int last) {
        List<String> ids = new ArrayList<>();
        for (int sequence = first; sequence <= last; sequence++) {
            ids.add(run + "/" + sequence);
        }
        return ids;
    }

    /** A decision is stored as one entry, however many events it has: what a later commit has spoilt isn't this one's. */
    @Test
    void aCommitIsToldThoughTheNextOneIsDamaged() throws Exception {
        decided(RUN, 4);
        decided(RUN, 3);
        decided(RUN, 2);
        logs.damage(RUN, 5);

        walk(row(1, moved(RUN, 1, 4)));
        assertEquals(ids(RUN, 1, 4), told);

        DamagedRunException damage = walkToDamage(row(2, moved(RUN, 5, 7)));
        assertEquals(RUN + "/5", damage.event());
        assertEquals(new FeedPlace(1, 3), damage.behind());
        assertEquals(ids(RUN, 1, 4), told);

        place = damage.behind();
        walk(row(2, moved(RUN, 5, 7)));
        told.clear();
        walk(row(3, moved(RUN, 8, 9)));
        assertEquals(ids(RUN, 8, 9), told);
    }

    @Test
    void theDecisionsOfACommitAreToldUpToTheDamagedOne() {
        decided(RUN, 2);
        decided(RUN, 1);
        decided(RUN, 3);
        logs.damage(RUN, 6);

        DamagedRunException damage = walkToDamage(row(1, moved(RUN, 1, 6)));

        assertEquals(ids(RUN, 1, 3), told);
        assertEquals(RUN + "/4", damage.event());
        assertEquals(new FeedPlace(0, 6), damage.behind());
    }

    /** Others that moved in the same commit, before it and behind it. */
    @Test
    void aDamagedRunCostsItsNeighboursNothing() throws Exception {
        decided(BEFORE, 2);
        decided(RUN, 1);
        decided(RUN, 2);
        decided(BEHIND, 3);
        logs.damage(RUN, 2);
        FeedRow row = row(7, moved(BEFORE, 1, 2), moved(RUN, 1, 3), moved(BEHIND, 1, 3));
        place = FeedPlace.after(6);

        DamagedRunException first = walkToDamage(row);
        assertEquals(List.of(BEFORE + "/1", BEFORE + "/2", RUN + "/1"), told, "what stands before the damage was told");
        assertEquals(new FeedPlace(6, 3), place);
        assertEquals(new FeedPlace(6, 5), first.behind());

        DamagedRunException again = walkToDamage(row);
        assertEquals(RUN + "/2", again.event());
        assertEquals(first.behind(), again.behind());
        assertEquals(3, told.size(), "nothing is told twice");

        told.clear();
        place = again.behind();
        walk(row);
        assertEquals(ids(BEHIND, 1, 3), told);
        assertEquals(FeedPlace.after(7), place);
    }

    /** It is whole: a node of that release tells it. */
    @Test
    void whatALaterReleaseHasWrittenIsNotPassedOver() {
        decided(RUN, 2);
        logs.decideLater(RUN, Logs.other(), Logs.other());

        CorruptHistoryException newer =
                assertThrows(CorruptHistoryException.class, () -> walk(row(1, moved(RUN, 1, 4))));

        assertTrue(newer.isNewer(), newer::toString);
        assertEquals(3, newer.sequence());
        assertEquals(ids(RUN, 1, 2), told);
        assertEquals(new FeedPlace(0, 2), place, "it goes on there");
    }

    /** An unknown form is no excuse: bytes that were changed may say anything. */
    @Test
    void whatLooksLikeALaterReleasesWorkAndHasAnotherHashIsDamaged() {
        logs.decideLater(RUN, Logs.other());
        logs.rehash(RUN, 1);

        assertEquals(RUN + "/1", walkToDamage(row(1, moved(RUN, 1, 1))).event());
    }
}
