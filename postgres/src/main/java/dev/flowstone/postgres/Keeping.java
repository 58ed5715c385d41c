package dev.flowstone.postgres;

import java.time.Duration;

/**
 * How long a database keeps what nobody needs for ever. Receipts say themselves how long they live.
 *
 * @param snapshots of runs that have ended, from their end: they are read faster by one, and whole without it
 * @param feed rows by which readers of events come back to where they were; at least a second
 * @param evidence of attempts to deliver messages, from their beginning; at least an hour, because a node that takes over finds out by
 *     it what was sent
 * @param subscriptions rows of the feed that a subscription has yet to send, if that is longer
 * @param deliveries what came for triggers; at least an hour, because what is sent again is told by it
 */
public record Keeping(
        Duration snapshots, Duration feed, Duration evidence, Duration subscriptions, Duration deliveries) {
    public static final Keeping DEFAULTS = new Keeping(
            Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(30), Duration.ofDays(7), Duration.ofDays(7));

    /** With evidence, what subscriptions need and what came for triggers, for as long as usual. */
    public Keeping(Duration snapshots, Duration feed) {
        this(snapshots, feed, DEFAULTS.evidence(), DEFAULTS.subscriptions(), DEFAULTS.deliveries());
    }

    public Keeping {
        if (snapshots.isNegative()) {
            throw new IllegalArgumentException("snapshots are kept for no time or some, not " + snapshots);
        }
        if (evidence.compareTo(Duration.ofHours(1)) < 0) {
            throw new IllegalArgumentException("evidence of deliveries is kept for an hour or longer, not " + evidence);
        }
        if (deliveries.compareTo(Duration.ofHours(1)) < 0) {
            throw new IllegalArgumentException(
                    "deliveries for triggers are kept for an hour or longer, not " + deliveries);
        }
        if (subscriptions.isNegative()) {
            throw new IllegalArgumentException(
                    "what subscriptions need is kept for no time or some, not " + subscriptions);
        }
        if (feed.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("the feed is kept for a second or longer, not " + feed);
        }
    }
}
