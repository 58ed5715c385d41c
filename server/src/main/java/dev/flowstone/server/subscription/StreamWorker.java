package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.shard.Backoff;
import dev.flowstone.engine.subscription.StreamCursor;
import dev.flowstone.engine.subscription.StreamCursor.Blocked;
import dev.flowstone.engine.subscription.StreamCursor.Failure;
import dev.flowstone.engine.subscription.Subscription;
import dev.flowstone.engine.subscription.Subscription.State;
import dev.flowstone.engine.subscription.SubscriptionWork;
import dev.flowstone.engine.subscription.SubscriptionWork.Assigned;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.server.stream.EventsGoneException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    private static final Duration LONGEST_ASKED = Duration.ofDays(1);
    private static final Duration IDLE = Duration.ofSeconds(5);

    /** After which a place is recorded that only what isn't wanted lies before. */
    private static final Duration UNRECORDED = Duration.ofSeconds(1);

    private final EventsOut.Parts parts;
    private final SubscriptionWork work;
    private final Clock clock;
    private final Lease lease;
    private final Subscription subscription;
    private final Sinks.Way way;
    private final EventPages pages;
    private final Stop stop;
    private final BooleanSupplier isOurs;
    private final Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, new SplittableRandom());
    private StreamCursor cursor;
    private boolean unrecorded;
    private long recordedAt = System.nanoTime();

    /**
     * Sends under a lease.
     *
     * @param stop by which it is ended
     * @param isOurs whether this node has the shard under the lease, as far as it knows
     */
    StreamWorker(EventsOut.Parts parts, Lease lease, Assigned assigned, Stop stop, BooleanSupplier isOurs) {
        this.parts = requireNonNull(parts);
        this.work = parts.subscriptions().work();
        this.clock = parts.ports().clock();
        this.lease = requireNonNull(lease);
        this.subscription = assigned.subscription();
        this.cursor = assigned.cursor();
        this.way = parts.sinks().way(subscription.wish().sink());
        this.pages = new EventPages(parts.ports().feed(), parts.history(), subscription, cursor.stream());
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
            EventPages.Page page = stop.whole(() -> pages.read(cursor.place()));
            stop.check();
            if (page.end().equals(cursor.place())) {
                parts.heads().await(cursor.stream(), cursor.place().row(), unrecorded ? UNRECORDED : IDLE);
                return recorded();
            }
            return page.events().isEmpty() ? passed(page.end()) : deliver(page);
        } catch (JournalException.StaleEpoch e) {
            return false;
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "events for " + subscription.key() + " wait: " + e.getMessage());
            Thread.sleep(backoff.pause());
            return true;
        } catch (EventsGoneException e) {
            return stopped(State.BROKEN, gone());
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "events for " + subscription.key() + " can't be read", e);
            return failed(cursor.place(), 0, "FEED_UNREADABLE: " + e.getMessage(), Optional.empty(), Duration.ZERO);
        }
    }

    private String gone() {
        String lost = "EVENTS_GONE: of stream " + cursor.stream() + " everything up to row "
                + cursor.place().row() + " was sent";
        try {
            long first = stop.whole(() -> parts.ports().feed().first(List.of(cursor.stream())))
                    .getOrDefault(cursor.stream(), 1L);
            return lost + ", and the feed begins at row " + first + "; rewind it to what is left";
        } catch (JournalException e) {
            return lost + ", and the feed has lost what follows; rewind it to what is left";
        }
    }

    /** Passes what isn't wanted; were each page of it recorded, all subscriptions would write at each commit. */
    private boolean passed(FeedPlace end) throws JournalException {
        cursor = at(end, 0, Optional.empty(), Optional.empty(), Optional.empty());
        unrecorded = true;
        return recorded();
    }

    /** Whether the cursor still is this worker's, as far as it is time to look. */
    private boolean recorded() throws JournalException {
        return !unrecorded || System.nanoTime() - recordedAt < UNRECORDED.toNanos() || advance();
    }

    private boolean advance() throws JournalException {
        boolean mine = stop.whole(() -> work.advance(lease, subscription.key(), cursor));
        unrecorded = false;
        recordedAt = System.nanoTime();
        return mine;
    }

    private boolean deliver(EventPages.Page page) throws InterruptedException, JournalException {
        PageDelivery delivery = new PageDelivery(cursor.place(), page, way, isOurs);
        while (true) {
            try {
                delivery.round();
            } catch (InterruptedException e) {
                keep(delivery, delivery.counted());
                throw e;
            }
            int sent = delivery.counted();
            parts.metrics().delivered(subscription.wish().sink().kind(), sent);
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

    /** Records what was acknowledged before somebody stopped it, so that it isn't sent again. */
    private void keep(PageDelivery delivery, int sent) {
        if (delivery.place().equals(cursor.place())) {
            return;
        }
        try {
            boolean _ = settled(delivery.place(), sent);
        } catch (JournalException | RuntimeException e) {
            LOG.log(Level.DEBUG, "some events for " + subscription.key() + " will be sent again", e);
        }
    }

    /** After a round in which something failed. */
    private boolean goesOn(PageDelivery delivery, int sent) throws InterruptedException, JournalException {
        parts.metrics()
                .failed(subscription.wish().sink().kind(), delivery.failures().size());
        Optional<SendException> gone =
                delivery.failures().stream().filter(SendException::isGone).findFirst();
        Optional<Blocked> blocked = delivery.blocked().map(event -> new Blocked(event.id(), event.behind()));
        String error = delivery.failure().map(Throwable::getMessage).orElse("not tried");
        if (gone.isPresent()) {
            boolean mine = moved(delivery.place(), sent, Optional.of(error), blocked);
            return mine && stopped(State.PAUSED, "ENDPOINT_GONE: " + gone.get().getMessage());
        }
        Duration asked = delivery.failures().stream()
                .flatMap(failure -> failure.pause().stream())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        return failed(delivery.place(), sent, error, blocked, asked);
    }

    /** Waits before the next round, or gives up. */
    private boolean failed(FeedPlace place, int sent, String error, Optional<Blocked> blocked, Duration asked)
            throws InterruptedException {
        if (place.compareTo(cursor.place()) > 0) {
            backoff.reset();
        }
        if (cursor.failingSince().isEmpty()) {
            LOG.log(Level.WARNING, "events for " + subscription.key() + " aren't taken: " + error);
        }
        try {
            if (!moved(place, sent, Optional.of(error), blocked)) {
                return false;
            }
        } catch (JournalException.StaleEpoch e) {
            return false;
        } catch (JournalException e) {
            LOG.log(
                    Level.WARNING,
                    "that events for " + subscription.key() + " fail can't be recorded: " + e.getMessage());
        }
        stop.check();
        Instant since = cursor.failingSince().orElseGet(clock::now);
        if (since.plus(parts.brokenAfter()).isBefore(clock.now())) {
            return stopped(State.BROKEN, "DELIVERY_FAILED: nothing was taken since " + since + ": " + error);
        }
        Duration own = backoff.pause();
        Duration bounded = asked.compareTo(LONGEST_ASKED) < 0 ? asked : LONGEST_ASKED;
        Thread.sleep(own.compareTo(bounded) < 0 ? bounded : own);
        return true;
    }

    private boolean settled(FeedPlace place, int sent) throws JournalException {
        backoff.reset();
        return moved(place, sent, Optional.empty(), Optional.empty());
    }

    /** Moves the cursor; answers whether it still was this worker's to move. */
    private boolean moved(FeedPlace place, int sent, Optional<String> error, Optional<Blocked> blocked)
            throws JournalException {
        Instant now = clock.now();
        boolean further = place.compareTo(cursor.place()) > 0;
        Optional<Instant> since =
                error.map(_ -> further ? now : cursor.failingSince().orElse(now));
        cursor = at(place, sent, error.map(text -> new Failure(now, text)), since, blocked);
        unrecorded = true;
        return advance();
    }

    private StreamCursor at(
            FeedPlace place, int sent, Optional<Failure> failure, Optional<Instant> since, Optional<Blocked> blocked) {
        return new StreamCursor(
                cursor.stream(), place, cursor.turn(), cursor.delivered() + sent, failure, since, blocked);
    }

    private boolean stopped(State state, String reason) throws InterruptedException {
        try {
            LOG.log(
                    Level.WARNING,
                    "subscription " + subscription.key() + " is " + (state == State.BROKEN ? "broken" : "paused") + ": "
                            + reason);
            boolean _ = stop.whole(() -> {
                work.stop(lease, subscription.key(), subscription.revision(), state, reason);
                return true;
            });
        } catch (JournalException.StaleEpoch e) {
            return false;
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "that can't be recorded now: " + e.getMessage());
            Thread.sleep(backoff.pause());
        }
        return false;
    }
}
