package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.StreamCursor;
import dev.flowstone.engine.subscription.StreamCursor.Blocked;
import dev.flowstone.engine.subscription.StreamCursor.Failure;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionWork;
import dev.flowstone.engine.subscription.SubscriptionWork.Assigned;
import dev.flowstone.engine.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How far one worker has come, and what it records of that. What is recorded answers whether the cursor was still the worker's to move. */
final class Progress {
    /** After which a place is recorded that only what isn't wanted lies before. */
    static final Duration UNRECORDED = Duration.ofSeconds(1);

    private final SubscriptionWork work;
    private final Lease lease;
    private final SubscriptionKey key;
    private final Stop stop;
    private final Clock clock;
    private StreamCursor cursor;
    private boolean unrecorded;
    private long recordedAt = System.nanoTime();

    Progress(SubscriptionWork work, Lease lease, Assigned assigned, Stop stop, Clock clock) {
        this.work = requireNonNull(work);
        this.lease = requireNonNull(lease);
        this.key = assigned.subscription().key();
        this.stop = requireNonNull(stop);
        this.clock = requireNonNull(clock);
        this.cursor = assigned.cursor().takenOn(clock.now());
    }

    FeedPlace place() {
        return cursor.place();
    }

    StreamCursor cursor() {
        return cursor;
    }

    /** Whether it is further than what is recorded. */
    boolean isUnrecorded() {
        return unrecorded;
    }

    /** Since when it hasn't come further though it tried. */
    Instant failingSince() {
        return cursor.failingSince().orElseGet(clock::now);
    }

    /** Passes what isn't wanted; were each page of it recorded, all subscriptions would write at each commit. */
    boolean passed(FeedPlace end) throws JournalException {
        cursor = at(end, 0, Optional.empty(), Optional.empty(), Optional.empty());
        unrecorded = true;
        return recorded();
    }

    /** Records it as far as it is time to. */
    boolean recorded() throws JournalException {
        return !unrecorded || System.nanoTime() - recordedAt < UNRECORDED.toNanos() || advance();
    }

    /** So many were acknowledged up to there. */
    boolean settled(FeedPlace place, int sent) throws JournalException {
        cursor = at(place, sent, Optional.empty(), Optional.empty(), Optional.empty());
        return advance();
    }

    /** So many were acknowledged behind an event that wasn't; whatever is wrong with that one still is. */
    boolean counted(int sent) throws JournalException {
        cursor = at(cursor.place(), sent, cursor.failure(), cursor.failingSince(), cursor.blocked());
        return advance();
    }

    /** So many were acknowledged, and something failed. */
    boolean failed(FeedPlace place, int sent, String error, Optional<Blocked> blocked) throws JournalException {
        Instant now = clock.now();
        boolean further = place.compareTo(cursor.place()) > 0;
        Instant since = further ? now : cursor.failingSince().orElse(now);
        cursor = at(place, sent, Optional.of(new Failure(now, error)), Optional.of(since), blocked);
        return advance();
    }

    private boolean advance() throws JournalException {
        unrecorded = true;
        boolean mine = stop.whole(() -> work.advance(lease, key, cursor));
        unrecorded = false;
        recordedAt = System.nanoTime();
        return mine;
    }

    private StreamCursor at(
            FeedPlace place, int sent, Optional<Failure> failure, Optional<Instant> since, Optional<Blocked> blocked) {
        return new StreamCursor(
                cursor.stream(), place, cursor.turn(), cursor.delivered() + sent, failure, since, blocked);
    }
}
