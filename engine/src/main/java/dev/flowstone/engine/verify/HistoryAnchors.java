package dev.flowstone.engine.verify;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.Feed.FeedRow;
import dev.flowstone.engine.read.Feed.Moved;
import dev.flowstone.engine.verify.HistoryAnchor.Point;
import dev.flowstone.engine.verify.HistoryAnchor.Stream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Takes anchors, and compares a database with one. An anchor holds, for each stream, the number of its last commit and what the last
 * commits stored; so a database that lacks commits is told from one that has others in their place.
 */
public final class HistoryAnchors {
    /** Commits of a stream of which an anchor holds runs. */
    private static final int COMMITS = 16;

    /** Runs of a stream that an anchor holds. */
    private static final int RUNS = 32;

    private final Feed feed;
    private final EntrySource source;

    public HistoryAnchors(Feed feed, EntrySource source) {
        this.feed = requireNonNull(feed);
        this.source = requireNonNull(source);
    }

    /** How a database compares with an anchor. */
    public sealed interface Comparison {
        /**
         * All that was compared is there.
         *
         * @param runs whose entry is the same
         * @param gone what has no run any more, though nothing else is missing: archived, or never there
         */
        record Same(int runs, List<Point> gone) implements Comparison {}

        /** It lacks so many commits at least: it is older than the anchor. */
        record Older(long commits) implements Comparison {}

        /** Of a stream that has as many commits this isn't there: somebody went on with an older copy, or changed it. */
        record Other(Point point) implements Comparison {}
    }

    /** How far these streams are now. */
    public HistoryAnchor take(Collection<Integer> streams, Instant now) throws JournalException {
        Map<Integer, Long> last = feed.last(streams);
        List<Stream> anchored = new ArrayList<>();
        for (int stream : streams.stream().sorted().toList()) {
            long number = last.getOrDefault(stream, 0L);
            anchored.add(new Stream(stream, number, points(stream, number)));
        }
        return new HistoryAnchor(now, anchored);
    }

    private List<Point> points(int stream, long number) throws JournalException {
        SequencedMap<RunKey, Moved> newest = new LinkedHashMap<>();
        for (FeedRow row : feed.read(stream, Math.max(0, number - COMMITS), COMMITS)) {
            // Where old rows were swept, a page goes on to what was committed since the number was read.
            if (row.number() <= number) {
                row.moved().forEach(moved -> newest.putLast(moved.run(), moved));
            }
        }
        List<Point> points = new ArrayList<>();
        for (Moved moved : newest.sequencedValues().reversed()) {
            if (points.size() == RUNS) {
                break;
            }
            entry(moved.run(), moved.firstSequence())
                    .map(entry -> new Point(moved.run(), entry.firstSequence(), entry.lastSequence(), entry.hash()))
                    .ifPresent(points::add);
        }
        return points;
    }

    private Optional<StoredEntry> entry(RunKey run, long first) throws JournalException {
        return source.entries(run, first - 1, 1).stream()
                .filter(entry -> entry.firstSequence() == first)
                .findFirst();
    }

    /** Looks for what the anchor holds, in every stream that isn't shorter than it was. */
    public Comparison compare(HistoryAnchor anchor) throws JournalException {
        Map<Integer, Long> last =
                feed.last(anchor.streams().stream().map(Stream::stream).toList());
        long missing = 0;
        int same = 0;
        List<Point> gone = new ArrayList<>();
        for (Stream stream : anchor.streams()) {
            long behind = stream.number() - last.getOrDefault(stream.stream(), 0L);
            missing += Math.max(0, behind);
            for (Point point : behind > 0 ? List.<Point>of() : stream.runs()) {
                if (source.head(point.run()).isEmpty()) {
                    gone.add(point);
                } else if (holds(point)) {
                    same++;
                } else {
                    return new Comparison.Other(point);
                }
            }
        }
        return missing > 0 ? new Comparison.Older(missing) : new Comparison.Same(same, gone);
    }

    private boolean holds(Point point) throws JournalException {
        return entry(point.run(), point.first())
                .filter(entry ->
                        entry.lastSequence() == point.last() && entry.hash().equals(point.hash()))
                .isPresent();
    }
}
