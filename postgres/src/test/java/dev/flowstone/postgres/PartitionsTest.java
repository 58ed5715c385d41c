package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException.BadData;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Months are there before anybody is born in them. */
final class PartitionsTest extends PostgresTest {
    private static Instant firstOfMonth(int monthsAhead) {
        return LocalDate.now(ZoneOffset.UTC)
                .withDayOfMonth(1)
                .plusMonths(monthsAhead)
                .atStartOfDay()
                .toInstant(ZoneOffset.UTC);
    }

    @Test
    void twoMonthsAheadAreReadyAtStart() {
        assertEquals(firstOfMonth(3), opened().partitions().until());
    }

    @Test
    void everyDayOfThisYearAndTheNextHasItsPlace() throws Exception {
        Lease lease = lease(0);
        opened().partitions().ensure(Instant.now().plus(300, ChronoUnit.DAYS));
        int born = 0;
        for (Instant birth = Instant.now();
                birth.isBefore(Instant.now().plus(360, ChronoUnit.DAYS));
                birth = birth.plus(1, ChronoUnit.DAYS)) {
            RunKey key = Moves.run(lease, Moves.ACME, birth);
            journal().commit(Moves.commit(lease, Moves.plain(key, 0)));
            born++;
        }
        assertEquals(born, number("SELECT count(*) FROM flowstone.entries"));
        assertEquals(firstOfMonth(0), Instant.ofEpochMilli(number("""
                        SELECT ('x' || lpad(replace(left(substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''(.*)''\\)'),
                                                         13), '-', ''), 16, '0'))::bit(64)::bigint
                        FROM pg_class WHERE relname = 'entries_before'
                        """)));
    }

    @Test
    void monthsEndsFallOnTheRightSide() throws Exception {
        Lease lease = lease(0);
        Instant turn = firstOfMonth(1);
        RunKey last = Moves.run(lease, Moves.ACME, turn.minusMillis(1));
        RunKey first = Moves.run(lease, Moves.ACME, turn);
        journal().commit(Moves.commit(lease, Moves.plain(last, 0), Moves.plain(first, 0)));

        assertEquals(
                2, number("SELECT count(DISTINCT tableoid) FROM flowstone.entries"), "one on each side of the turn");
    }

    @Test
    void anIdFromBeforeTheInstallationHasAPlace() throws Exception {
        Lease lease = lease(0);
        RunKey old = Moves.run(lease, Moves.ACME, Instant.parse("2001-02-03T04:05:06Z"));
        assertEquals(
                1,
                journal()
                        .commit(Moves.commit(lease, Moves.plain(old, 0)))
                        .moved()
                        .size());
        assertTrue(journal().load(lease.shard().id(), List.of(old)).containsKey(old));
    }

    @Test
    void aMissingMonthIsMadeByTheCommitThatNeedsIt() throws Exception {
        Lease lease = lease(0);
        RunKey future = Moves.run(lease, Moves.ACME, firstOfMonth(7));

        assertEquals(
                1,
                journal()
                        .commit(Moves.commit(lease, Moves.plain(future, 0)))
                        .moved()
                        .size());
        opened().partitions().ensure(Instant.now());
        assertEquals(firstOfMonth(8), opened().partitions().until(), "and those before it");
    }

    @Test
    void aClockThatIsYearsAheadIsRefusedAsBadData() throws Exception {
        Lease lease = lease(0);
        RunKey absurd = Moves.run(lease, Moves.ACME, Instant.parse("2199-01-01T00:00:00Z"));
        assertThrows(BadData.class, () -> journal().commit(Moves.commit(lease, Moves.plain(absurd, 0))));
        assertEquals(0, number("SELECT count(*) FROM flowstone.runs"));
    }

    /** Case 30: a clock that goes on day by day over ten turns of the month, with a day now and then on which nothing was made. */
    @Test
    void noMonthRollsOverWithoutItsPartition() throws Exception {
        Lease lease = lease(0);
        Partitions partitions = opened().partitions();
        for (int day = 0; day < 300; day++) {
            Instant now = Instant.now().plus(day, ChronoUnit.DAYS);
            assertTrue(partitions.readyUntil(now).isAfter(now.plus(30, ChronoUnit.DAYS)), now::toString);
            if (day % 10 != 3) {
                partitions.ensure(now);
            }
        }
        long made = number("SELECT count(*) FROM pg_inherits WHERE inhparent = 'flowstone.entries'::regclass");
        for (int month = 0; month < 10; month++) {
            RunKey first = Moves.run(lease, Moves.ACME, firstOfMonth(month));
            journal().commit(Moves.commit(lease, Moves.plain(first, 0)));
        }
        assertEquals(
                made,
                number("SELECT count(*) FROM pg_inherits WHERE inhparent = 'flowstone.entries'::regclass"),
                "no commit had to make one");
    }

    @Test
    void aMonthThatIsMissingEndsWhatIsReady() throws Exception {
        Partitions partitions = opened().partitions();
        assertEquals(firstOfMonth(3), partitions.readyUntil(Instant.now()));

        admin("DROP TABLE flowstone.entries_%1$tY_%1$tm"
                .formatted(firstOfMonth(1).atZone(ZoneOffset.UTC)));

        assertEquals(firstOfMonth(1), partitions.readyUntil(Instant.now()));
        assertEquals(firstOfMonth(1), partitions.readyUntil(firstOfMonth(1)), "this month itself is missing then");
    }
}
