package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.Feed.FeedRow;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.shard.Backoff;
import dev.flowstone.engine.time.TimeLeft;
import dev.flowstone.server.stream.DamagedRunException;
import dev.flowstone.server.stream.EventsGoneException;
import dev.flowstone.server.stream.FeedWalk;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows one stream under one lease: a page of events is taken whole, by all triggers that want some of it, before the cursor moves
 * over it. It works on a thread of its own while there is something to do, one at a time; who wakes it is one thread.
 */
final class StreamFollower {
    private static final System.Logger LOG = System.getLogger(StreamFollower.class.getName());
    private static final int ROWS = 64;

    /** Of one page, about. */
    private static final int MATCHES = 256;

    /** Before what has failed is tried again; then ever longer. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** After which a place is recorded that only what nobody wants lies before. */
    private static final Duration UNRECORDED = Duration.ofSeconds(1);

    private final EventLoop.Parts parts;
    private final Lease lease;
    private final int stream;
    private final boolean starts;
    private final Supplier<Listeners> listeners;
    private final BooleanSupplier isOurs;
    private final MatchTaker taker;
    private final Backoff outage = new Backoff(PAUSE, Duration.ofSeconds(10), new SplittableRandom());
    private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
    private volatile FeedPlace place;
    private volatile FeedPlace recorded;
    private long recordedAt = System.nanoTime();

    /**
     * Begins where somebody has come before.
     *
     * @param place null if nobody has
     * @param starts whether events start something; if not, they are passed over
     * @param listeners the newest, which grow no older than the last row that it is woken for
     * @param isOurs whether this node has the shard under the lease, as far as it knows
     */
    StreamFollower(
            EventLoop.Parts parts,
            Lease lease,
            @Nullable FeedPlace place,
            boolean starts,
            Supplier<Listeners> listeners,
            BooleanSupplier isOurs) {
        this.parts = requireNonNull(parts);
        this.lease = requireNonNull(lease);
        this.stream = lease.shard().stream();
        this.place = place == null ? FeedPlace.BEGIN : place;
        this.recorded = this.place;
        this.starts = starts;
        this.listeners = requireNonNull(listeners);
        this.isOurs = requireNonNull(isOurs);
        this.taker = new MatchTaker(parts.starts(), listeners, isOurs, PAUSE);
    }

    /** A part of the stream. */
    private record Page(List<MatchTaker.Match> matches, FeedPlace end) {}

    boolean isOf(@Nullable Lease now) {
        return now != null && now.epoch() == lease.epoch();
    }

    boolean isBehind(long head) {
        return place.row() < head;
    }

    /** Goes on up to a row, if it isn't at it already: one that was the last before the triggers were read that there are now. */
    void wake(long head) {
        boolean waits = isBehind(head) || isLate();
        if (!waits || !isAtRest()) {
            return;
        }
        worker.set(Thread.ofVirtual().name("flowstone-event-triggers-" + stream).start(() -> follow(head)));
    }

    /** Whether nothing of it is under way. */
    boolean isAtRest() {
        Thread there = worker.get();
        return there == null || !there.isAlive();
    }

    private boolean isLate() {
        return !recorded.equals(place) && System.nanoTime() - recordedAt >= UNRECORDED.toNanos();
    }

    private void follow(long head) {
        try {
            passTo(FeedPlace.after(starts ? Math.min(head, listeners.get().since(stream)) : head));
            while (isBehind(head) && isOurs.getAsBoolean()) {
                // Anew for each page: who turns a trigger off needn't wait until all is done that was behind.
                Page page = read(head, listeners.get());
                if (!taker.areTaken(page.matches())) {
                    return;
                }
                boolean stands = page.end().equals(place);
                place = page.end();
                if (!page.matches().isEmpty() || isLate()) {
                    record();
                }
                if (stands) {
                    return;
                }
            }
            if (isLate()) {
                record();
            }
            outage.reset();
        } catch (JournalException.StaleEpoch e) {
            LOG.log(Level.DEBUG, "stream " + stream + " is followed elsewhere", e);
        } catch (Throwable e) {
            LOG.log(Level.WARNING, "events of stream " + stream + " wait for their triggers: " + e.getMessage(), e);
            rest();
        }
    }

    private void rest() {
        try {
            Thread.sleep(outage.pause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void passTo(FeedPlace there) {
        if (there.compareTo(place) > 0) {
            place = there;
        }
    }

    private Page read(long head, Listeners now) throws JournalException {
        FeedWalk walk = new FeedWalk(parts.feed(), parts.history(), run -> now.concern(run.tenant()));
        List<MatchTaker.Match> matches = new ArrayList<>();
        FeedPlace end = place;
        for (FeedRow row : rows(walk)) {
            if (row.number() > head || matches.size() >= MATCHES) {
                break;
            }
            end = readRow(walk, row, end, now, matches);
            if (end.row() < row.number()) {
                break;
            }
        }
        return new Page(matches, end);
    }

    private List<FeedRow> rows(FeedWalk walk) throws JournalException {
        try {
            List<FeedRow> rows = walk.rows(stream, place, true, ROWS);
            if (!rows.isEmpty() && rows.getFirst().number() > place.row() + 1 && place.row() > 0) {
                LOG.log(
                        Level.WARNING,
                        "the feed has lost rows " + (place.row() + 1) + " to "
                                + (rows.getFirst().number() - 1) + " of stream " + stream
                                + " before event triggers have seen them (sweep.feed)");
            }
            return rows;
        } catch (EventsGoneException e) {
            throw new IllegalStateException("it may begin wherever there is something", e);
        }
    }

    /** Reads the rest of a row, past what is damaged in it; answers the place up to which it came. */
    private FeedPlace readRow(FeedWalk walk, FeedRow row, FeedPlace from, Listeners now, List<MatchTaker.Match> matches)
            throws JournalException {
        FeedPlace[] at = {from};
        while (true) {
            try {
                boolean whole = walk.events(row, at[0], (event, behind) -> {
                    now.of(event, stream, row.number())
                            .forEach(trigger -> matches.add(new MatchTaker.Match(event, trigger)));
                    at[0] = behind;
                    return matches.size() < MATCHES;
                });
                return whole ? FeedPlace.after(row.number()) : at[0];
            } catch (DamagedRunException e) {
                LOG.log(Level.ERROR, "event triggers see no more of a commit's: event " + e.event(), e);
                at[0] = e.behind();
            }
        }
    }

    private void record() throws JournalException {
        FeedPlace now = place;
        parts.triggers().advance(lease, now);
        recorded = now;
        recordedAt = System.nanoTime();
    }

    /** Waits for what is under way, and records how far it came. */
    void end(TimeLeft time) throws InterruptedException {
        Thread there = worker.get();
        if (there != null && !time.join(there)) {
            LOG.log(Level.WARNING, "some events of stream " + stream + " will be taken again, and start nothing again");
            return;
        }
        if (!recorded.equals(place)) {
            try {
                record();
            } catch (JournalException | RuntimeException e) {
                LOG.log(Level.DEBUG, "some events of stream " + stream + " will be looked at again", e);
            }
        }
    }
}
