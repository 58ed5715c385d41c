package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.shard.Backoff;
import dev.flowstone.engine.subscription.StreamCursor.Blocked;
import dev.flowstone.engine.subscription.Subscription;
import dev.flowstone.engine.subscription.Subscription.State;
import dev.flowstone.engine.subscription.SubscriptionWork.Assigned;
import dev.flowstone.server.stream.DamagedRunException;
import dev.flowstone.server.stream.EventsGoneException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Sends what one stream has for one subscription, page after page, for as long as its node has the shard and nobody moves the cursor. It
 * doesn't begin a page before all of the one before is acknowledged.
 */
final class StreamWorker implements Runnable {
    private static final System.Logger LOG = System.getLogger(StreamWorker.class.getName());
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    private static final Duration LONGEST_OUTAGE_PAUSE = Duration.ofSeconds(15);
    private static final Duration IDLE = Duration.ofSeconds(5);
    private static final Duration NOTHING_YET = Duration.ofMillis(100);

    /** Times that the database is asked in vain before people are shown that. */
    private static final int SHOWN = 3;

    private static final String SEE_LOG = "; the server's log says why";

    private final EventsOut.Parts parts;
    private final Lease lease;
    private final Subscription subscription;
    private final int stream;
    private final Sinks.Way way;
    private final EventPages pages;
    private final Progress progress;
    private final Stop stop;
    private final BooleanSupplier isOurs;
    private final Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, new SplittableRandom());
    private final Backoff outage = new Backoff(FIRST_PAUSE, LONGEST_OUTAGE_PAUSE, new SplittableRandom());
    private int outages;

    /**
     * Sends under a lease.
     *
     * @param stop by which it is ended
     * @param isOurs whether this node has the shard under the lease, as far as it knows
     */
    StreamWorker(EventsOut.Parts parts, Lease lease, Assigned assigned, Stop stop, BooleanSupplier isOurs) {
        this.parts = requireNonNull(parts);
        this.lease = requireNonNull(lease);
        this.subscription = assigned.subscription();
        this.stream = assigned.cursor().stream();
        this.way = parts.sinks().way(subscription.wish().sink());
        this.pages = new EventPages(parts.feed(), parts.history(), subscription, stream, parts.room());
        this.progress = new Progress(parts.work(), lease, assigned, stop, parts.clock());
        this.stop = requireNonNull(stop);
        this.isOurs = () -> !stop.isAsked() && isOurs.getAsBoolean();
    }

    /** Ends when it is stopped, or it is another's turn. */
    @Override
    public void run() {
        try {
            while (isOurs.getAsBoolean() && step()) {
                // The next page is the loop's condition.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean step() throws InterruptedException {
        try {
            stop.check();
            Duration idle = progress.isUnrecorded() ? Progress.UNRECORDED : IDLE;
            if (!parts.heads().await(stream, progress.place().row(), idle)) {
                return idle();
            }
            FeedPlace from = progress.place();
            EventPages.Page page = stop.whole(() -> stop.isAsked() ? EventPages.Page.none(from) : pages.read(from));
            try {
                outages = 0;
                outage.reset();
                return isDoneWith(page);
            } finally {
                parts.room().giveBack(page.bytes());
            }
        } catch (JournalException.StaleEpoch e) {
            return false;
        } catch (JournalException.BadData e) {
            return unreadable("the database refuses it" + SEE_LOG, e, Optional.empty());
        } catch (JournalException e) {
            return waits(e);
        } catch (EventsGoneException e) {
            return stopped(State.BROKEN, gone());
        } catch (DamagedRunException e) {
            return unreadable(String.valueOf(e.getMessage()), e, Optional.of(new Blocked(e.event(), e.behind())));
        } catch (CorruptHistoryException e) {
            return unreadable("a later release has written it: " + e.getMessage(), e, Optional.empty());
        } catch (RuntimeException e) {
            return unreadable("a fault of ours" + SEE_LOG, e, Optional.empty());
        }
    }

    private boolean idle() throws JournalException {
        if (outages == 0) {
            return progress.recorded();
        }
        boolean mine = progress.settled(progress.place(), 0);
        outages = 0;
        return mine;
    }

    private boolean isDoneWith(EventPages.Page page) throws InterruptedException, JournalException {
        stop.check();
        if (!page.events().isEmpty()) {
            return deliver(page);
        }
        if (page.end().equals(progress.place())) {
            stop.sleep(NOTHING_YET);
            return true;
        }
        backoff.reset();
        return progress.passed(page.end());
    }

    /** Trying again may be of use, but people must see it; what is damaged they may skip. */
    private boolean unreadable(String error, Exception cause, Optional<Blocked> damaged) throws InterruptedException {
        if (damaged.isPresent()) {
            // It stands for days: where in the program that was found says nothing.
            LOG.log(Level.WARNING, "events for " + subscription.key() + " can't be read: " + error);
        } else {
            LOG.log(Level.ERROR, "events for " + subscription.key() + " can't be read", cause);
        }
        return failed(progress.place(), 0, "FEED_UNREADABLE: " + error, damaged);
    }

    /** The database doesn't answer now. That is no failure of the delivery's, and in most cases it can't be recorded. */
    private boolean waits(JournalException why) throws InterruptedException {
        LOG.log(Level.WARNING, "events for " + subscription.key() + " wait: " + why.getMessage());
        try {
            if (++outages >= SHOWN
                    && !progress.failed(
                            progress.place(),
                            0,
                            "FEED_UNREADABLE: the database can't be read" + SEE_LOG,
                            Optional.empty())) {
                return false;
            }
        } catch (JournalException.StaleEpoch e) {
            return false;
        } catch (JournalException | RuntimeException e) {
            LOG.log(Level.DEBUG, "that can't be recorded either", e);
        }
        stop.sleep(outage.pause());
        return true;
    }

    private String gone() {
        String lost = "EVENTS_GONE: of stream " + stream + " everything up to row "
                + progress.place().row() + " was sent";
        return lost + ", and the feed has lost what follows; rewind it to what is left";
    }

    private boolean deliver(EventPages.Page page) throws InterruptedException, JournalException {
        PageDelivery delivery = new PageDelivery(progress.place(), page, way, isOurs);
        while (true) {
            try {
                stop.check();
                way.gate().awaitOpen();
                delivery.round();
            } catch (InterruptedException e) {
                keep(delivery, counted(delivery));
                throw e;
            }
            int sent = counted(delivery);
            if (delivery.isDone()) {
                return settled(page.end(), sent);
            }
            if (!isOurs.getAsBoolean()) {
                keep(delivery, sent);
                return false;
            }
            if (!goesOn(delivery, sent)) {
                return false;
            }
        }
    }

    private int counted(PageDelivery delivery) {
        int sent = delivery.counted();
        parts.metrics().delivered(subscription.wish().sink().kind(), sent);
        return sent;
    }

    /** Records what was acknowledged before somebody stopped it, so that it isn't sent again. */
    private void keep(PageDelivery delivery, int sent) {
        if (delivery.place().equals(progress.place())) {
            return;
        }
        try {
            boolean _ = settled(delivery.place(), sent);
        } catch (JournalException | RuntimeException e) {
            LOG.log(Level.DEBUG, "some events for " + subscription.key() + " will be sent again", e);
        }
    }

    /** After a round that didn't come to the end of the page. */
    private boolean goesOn(PageDelivery delivery, int sent) throws InterruptedException, JournalException {
        Optional<SendException> failure = delivery.failure();
        if (failure.isEmpty()) {
            // Another subscription to the same place was told to leave it alone.
            if (!delivery.place().equals(progress.place())) {
                return settled(delivery.place(), sent);
            }
            return sent == 0 || progress.counted(sent);
        }
        parts.metrics()
                .failed(subscription.wish().sink().kind(), delivery.failures().size());
        Optional<SendException> gone =
                delivery.failures().stream().filter(SendException::isGone).findFirst();
        Optional<Blocked> blocked = delivery.blocked().map(event -> new Blocked(event.id(), event.behind()));
        String error = String.valueOf(failure.get().getMessage());
        if (gone.isPresent()) {
            return progress.failed(delivery.place(), sent, error, blocked)
                    && stopped(State.PAUSED, "ENDPOINT_GONE: " + gone.get().getMessage());
        }
        return failed(delivery.place(), sent, error, blocked);
    }

    /** Waits before the next round, or gives up. */
    private boolean failed(FeedPlace place, int sent, String error, Optional<Blocked> blocked)
            throws InterruptedException {
        if (place.compareTo(progress.place()) > 0) {
            backoff.reset();
        }
        if (progress.cursor().failingSince().isEmpty()) {
            LOG.log(Level.WARNING, "events for " + subscription.key() + " aren't taken: " + error);
        }
        try {
            if (!progress.failed(place, sent, error, blocked)) {
                return false;
            }
        } catch (JournalException.StaleEpoch e) {
            return false;
        } catch (JournalException | RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    "that events for " + subscription.key() + " fail can't be recorded: " + e.getMessage());
        }
        Instant since = progress.failingSince();
        if (since.plus(parts.brokenAfter()).isBefore(parts.clock().now())) {
            stop.check();
            return stopped(State.BROKEN, "DELIVERY_FAILED: nothing was taken since " + since + ": " + error);
        }
        stop.sleep(backoff.pause());
        return true;
    }

    private boolean settled(FeedPlace place, int sent) throws JournalException {
        backoff.reset();
        return progress.settled(place, sent);
    }

    private boolean stopped(State state, String reason) throws InterruptedException {
        try {
            LOG.log(
                    Level.WARNING,
                    "subscription " + subscription.key() + " is " + (state == State.BROKEN ? "broken" : "paused") + ": "
                            + reason);
            boolean _ = stop.whole(() -> {
                parts.work().stop(lease, subscription.key(), subscription.revision(), state, reason);
                return true;
            });
        } catch (JournalException.StaleEpoch e) {
            return false;
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "that can't be recorded now: " + e.getMessage());
            stop.sleep(outage.pause());
        }
        return false;
    }
}
