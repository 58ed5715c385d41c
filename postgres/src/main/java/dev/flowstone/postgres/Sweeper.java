package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Shard;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Removes what has outlived its use, a bounded piece at a time: expired receipts, snapshots of ended runs, old rows of the feed,
 * old evidence of deliveries, and what came for triggers. A piece is one short transaction; what a commit holds is left for the next
 * round. Several nodes may sweep at once. Not thread-safe.
 *
 * <p>Entries, payloads and consumed messages stay: they were promised for ever.
 */
public final class Sweeper {
    /** What is swept. */
    public enum Kind {
        RECEIPTS,
        SNAPSHOTS,
        EVIDENCE,
        DELIVERIES,
        FEED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What a piece did.
     *
     * @param over whether it was the last of a round over everything
     */
    public record Swept(Kind kind, long removed, boolean over) {}

    private record Way(Kind kind, Sweep sweep) {}

    private final List<Way> ways = new ArrayList<>();

    /** Those that this round is not through with, in turn, so that a long one holds up no other. */
    private final ArrayDeque<Way> round = new ArrayDeque<>();

    Sweeper(Database engine, Collection<Shard> shards, Keeping keeping) {
        ways.add(new Way(Kind.RECEIPTS, BlockSweep.receipts(engine)));
        ways.add(new Way(Kind.RECEIPTS, BlockSweep.requests(engine)));
        ways.add(new Way(Kind.SNAPSHOTS, BlockSweep.snapshots(engine, keeping.snapshots())));
        ways.add(new Way(Kind.EVIDENCE, BlockSweep.evidence(engine, keeping.evidence())));
        ways.add(new Way(Kind.DELIVERIES, BlockSweep.deliveries(engine, keeping.deliveries())));
        for (Shard shard : shards) {
            ways.add(
                    new Way(Kind.FEED, new FeedSweep(engine, shard.stream(), keeping.feed(), keeping.subscriptions())));
        }
    }

    /** The next piece. What fails is left out of the rest of the round. */
    public Swept piece() throws JournalException {
        if (round.isEmpty()) {
            round.addAll(ways);
        }
        Way way = round.remove();
        long removed = way.sweep().piece();
        if (!way.sweep().isOver()) {
            round.add(way);
        }
        return new Swept(way.kind(), removed, round.isEmpty());
    }
}
