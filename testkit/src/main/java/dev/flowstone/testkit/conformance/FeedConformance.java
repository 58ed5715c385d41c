package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.Feed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The order for readers. */
public abstract class FeedConformance extends PortsConformance {
    private List<Feed.FeedRow> read(Lease lease, long after, int limit) throws JournalException {
        return ports().feed().read(lease.shard().stream(), after, limit);
    }

    @Test
    void everyCommitThatMovesHasOneRowWithoutAGap() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        RunKey other = run(OTHER, 0);

        long first = commit(
                        lease, creation(key).entry(2).build(), creation(other).build())
                .feedNumber();
        long none = commit(lease).feedNumber();
        long lost = commit(lease, move(key, 99).build()).feedNumber();
        long second = commit(
                        lease,
                        move(key, 2).entry(1).entry(3).build(),
                        move(other, 7).build())
                .feedNumber();

        assertEquals(List.of(1L, 0L, 0L, 2L), List.of(first, none, lost, second));
        List<Feed.FeedRow> rows = read(lease, 0, 10);
        assertEquals(2, rows.size());
        assertEquals(lease.shard().stream(), rows.getFirst().stream());
        assertEquals(1, rows.getFirst().number());
        List<Feed.Moved> both = new ArrayList<>(rows.getFirst().moved());
        both.sort((a, b) -> a.run().compareTo(b.run()));
        assertEquals(List.of(new Feed.Moved(key, 1, 2), new Feed.Moved(other, 1, 1)), both);
        assertEquals(List.of(new Feed.Moved(key, 3, 6)), rows.getLast().moved(), "losers are no part of it");
    }

    @Test
    void readersGoOnAfterTheirCursor() throws JournalException {
        Lease lease = lease(0);
        for (int i = 0; i < 7; i++) {
            commit(lease, creation(run(0)).build());
        }

        assertEquals(
                LongStream.rangeClosed(1, 3).boxed().toList(),
                read(lease, 0, 3).stream().map(Feed.FeedRow::number).toList());
        assertEquals(
                LongStream.rangeClosed(4, 7).boxed().toList(),
                read(lease, 3, 100).stream().map(Feed.FeedRow::number).toList());
        assertEquals(List.of(), read(lease, 7, 100));
    }

    @Test
    void tellsTheLastNumberOfEachStream() throws JournalException {
        Lease first = lease(0);
        Lease second = lease(1);
        commit(first, creation(run(0)).build());
        commit(first, creation(run(0)).build());

        assertEquals(
                Map.of(first.shard().stream(), 2L, second.shard().stream(), 0L),
                ports().feed().last(List.of(first.shard().stream(), second.shard().stream())));
    }

    @Test
    void tellsTheOldestNumberOfEachStream() throws JournalException {
        Lease first = lease(0);
        Lease second = lease(1);
        commit(first, creation(run(0)).build());
        commit(first, creation(run(0)).build());

        assertEquals(
                Map.of(first.shard().stream(), 1L, second.shard().stream(), 1L),
                ports().feed().first(List.of(first.shard().stream(), second.shard().stream())));
    }

    @Test
    void numbersGoOnOverATakeoverAndARefusedCommitLeavesNoGap() throws JournalException {
        Lease before = lease(0);
        commit(before, creation(run(0)).build());
        Lease after = lease(0);
        RunKey key = run(0);
        assertThrows(
                JournalException.StaleEpoch.class,
                () -> commit(before, creation(key).build()));
        assertThrows(
                JournalException.BadData.class,
                () -> commit(after, creation(key).correlation("\u0000").build()));

        assertEquals(2, commit(after, creation(key).build()).feedNumber());
    }

    @Test
    void eachShardHasItsOwnStream() throws JournalException {
        Lease first = lease(0);
        Lease second = lease(1);
        commit(first, creation(run(0)).build());
        commit(first, creation(run(0)).build());
        RunKey elsewhere = run(1);

        assertEquals(1, commit(second, creation(elsewhere).build()).feedNumber());
        assertEquals(
                List.of(new Feed.Moved(elsewhere, 1, 1)),
                read(second, 0, 10).getFirst().moved());
    }
}
