package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.id.TimerId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every journal must do with timers. */
public abstract class TimersConformance extends PortsConformance {
    private static final Instant FAR = Instant.parse("9999-12-31T23:59:59.999999Z");

    private List<TimerRow> timers(Lease lease, Instant before) throws JournalException {
        return ports().journal().timers(lease.shard().id(), before, Optional.empty(), 1_000);
    }

    @Test
    void timersComeInOrderOfDueRunAndName() throws JournalException {
        Lease lease = lease(0);
        RunKey first = run(0);
        RunKey second = run(OTHER, 0);
        Instant due = now();
        commit(
                lease,
                creation(second)
                        .timer("z", 1, due)
                        .timer("late", 1, due.plusSeconds(5))
                        .build(),
                creation(first)
                        .timer("b", 1, due)
                        .timer("a", 1, due)
                        .timer("early", 1, due.minusSeconds(5))
                        .build());

        List<String> names = timers(lease, due.plusSeconds(60)).stream()
                .map(row -> row.timer().value())
                .toList();

        assertEquals(List.of("early", "a", "b", "z", "late"), names);
        assertEquals(
                new TimerRow(first, new TimerId("early"), 1, due.minusSeconds(5)),
                timers(lease, due.plusSeconds(60)).getFirst());
    }

    @Test
    void beforeMeansBefore() throws JournalException {
        Lease lease = lease(0);
        Instant due = now();
        commit(lease, creation(run(0)).timer("t", 1, due).build());

        assertEquals(List.of(), timers(lease, due));
        assertEquals(1, timers(lease, due.plusNanos(1_000)).size());
    }

    @Test
    void pagesGoOnAfterARowWithoutGapOrRepetition() throws JournalException {
        Lease lease = lease(0);
        Instant due = now();
        for (int i = 0; i < 5; i++) {
            RunKey key = run(i % 2 == 0 ? ACME : OTHER, 0);
            commit(
                    lease,
                    creation(key)
                            .timer("a", 1, due)
                            .timer("b", 1, due.plusSeconds(i % 2))
                            .build());
        }
        List<TimerRow> all = timers(lease, due.plusSeconds(60));
        assertEquals(10, all.size());

        List<TimerRow> paged = new ArrayList<>();
        Optional<TimerRow> after = Optional.empty();
        for (int page = 0; page < 4; page++) {
            List<TimerRow> rows = ports().journal().timers(lease.shard().id(), due.plusSeconds(60), after, 3);
            paged.addAll(rows);
            after = rows.isEmpty() ? after : Optional.of(rows.getLast());
        }

        assertEquals(all, paged);
    }

    @Test
    void aGreaterGenerationReplacesAndASmallerOneDoesNot() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        Instant due = now();
        commit(lease, creation(key).timer("t", 2, due).build());

        commit(lease, move(key, 1).timer("t", 3, due.plusSeconds(9)).build());
        assertEquals(
                List.of(new TimerRow(key, new TimerId("t"), 3, due.plusSeconds(9))),
                timers(lease, due.plusSeconds(60)));

        commit(lease, move(key, 2).timer("t", 2, due).build());
        assertEquals(
                List.of(new TimerRow(key, new TimerId("t"), 3, due.plusSeconds(9))),
                timers(lease, due.plusSeconds(60)));
    }

    @Test
    void aTimerThatIsGoneIsGoneAndItsNeighboursStay() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        RunKey neighbour = run(0);
        Instant due = now();
        commit(
                lease,
                creation(key).timer("a", 1, due).timer("b", 1, due).build(),
                creation(neighbour).timer("a", 1, due).build());

        commit(lease, move(key, 1).timerGone("a").timerGone("never there").build());

        assertEquals(
                List.of(new TimerRow(key, new TimerId("b"), 1, due), new TimerRow(neighbour, new TimerId("a"), 1, due)),
                timers(lease, due.plusSeconds(60)));
    }

    @Test
    void aTimerMayBeSetAgainAfterItIsGone() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        Instant due = now();
        commit(lease, creation(key).timer("a", 4, due).build());
        commit(lease, move(key, 1).timerGone("a").build());
        commit(lease, move(key, 2).timer("a", 5, due).build());

        assertEquals(List.of(new TimerRow(key, new TimerId("a"), 5, due)), timers(lease, due.plusSeconds(1)));
    }

    @Test
    void theYear9999IsAYearLikeAnyOther() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(
                lease,
                creation(key)
                        .timer("far", 1, FAR)
                        .timer("past", 1, Instant.EPOCH)
                        .build());

        assertEquals(
                List.of(new TimerRow(key, new TimerId("past"), 1, Instant.EPOCH)),
                timers(lease, now().plusSeconds(60)));
        assertEquals(
                new TimerRow(key, new TimerId("far"), 1, FAR),
                timers(lease, FAR.plusSeconds(1)).getLast());
    }

    @Test
    void shardsDoNotSeeEachOthersTimers() throws JournalException {
        Lease lease = lease(0);
        Lease other = lease(1);
        commit(lease, creation(run(0)).timer("t", 1, now()).build());

        assertEquals(List.of(), timers(other, now().plusSeconds(60)));
    }
}
