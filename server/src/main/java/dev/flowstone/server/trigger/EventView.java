package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.trigger.EventTriggers;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Where streams ended and which triggers there were then, together: a trigger that was made before an event is among those that are read
 * after the stream's end was, so that nobody is to go further than that with older ones. One thread looks; any may ask.
 */
final class EventView {
    /** Between two looks whether somebody has made a trigger, while nothing happens. */
    private static final Duration IDLE = Duration.ofMillis(500);

    /** Within which a change of triggers is seen, however many there are. */
    private static final Duration LATEST = Duration.ofSeconds(1);

    /** Reading the triggers takes a small share of the time, if there are many. */
    private static final int SHARE = 20;

    private final Feed feed;
    private final EventTriggers triggers;
    private final LongSupplier nanos;
    private volatile Seen seen = new Seen(Map.of(), Listeners.NONE);
    private long readAt;
    private long readTook;

    /** @param nanos a clock that only goes on, as {@link System#nanoTime} */
    EventView(Feed feed, EventTriggers triggers, LongSupplier nanos) {
        this.feed = requireNonNull(feed);
        this.triggers = requireNonNull(triggers);
        this.nanos = requireNonNull(nanos);
        this.readAt = nanos.getAsLong() - LATEST.toNanos();
    }

    /**
     * What was seen.
     *
     * @param heads the last row of each stream that was looked at
     * @param listeners all that there were, and perhaps some that came later
     */
    record Seen(Map<Integer, Long> heads, Listeners listeners) {
        Seen {
            heads = Map.copyOf(heads);
            requireNonNull(listeners);
        }

        /** Up to which row of a stream they may be followed; 0 if that isn't known yet. */
        long head(int stream) {
            return heads.getOrDefault(stream, 0L);
        }
    }

    /** The newest that there are. */
    Listeners listeners() {
        return seen.listeners();
    }

    /** Looks from time to time whether there are triggers, and nothing else. */
    Listeners lookForAny() throws JournalException {
        if (age() >= IDLE.toNanos()) {
            read(Map.of());
        }
        return seen.listeners();
    }

    /**
     * Looks at the ends of streams and, if that is worth it and it is time, at the triggers.
     *
     * @param isBehind whether anybody has something to do, by the ends
     */
    Seen look(Collection<Integer> streams, Predicate<Map<Integer, Long>> isBehind) throws JournalException {
        Map<Integer, Long> heads = feed.last(streams);
        boolean isTime = age() >= Math.min(LATEST.toNanos(), readTook * SHARE);
        if (isTime && (age() >= IDLE.toNanos() || isBehind.test(heads))) {
            read(heads);
        }
        return seen;
    }

    private long age() {
        return nanos.getAsLong() - readAt;
    }

    private void read(Map<Integer, Long> heads) throws JournalException {
        long began = nanos.getAsLong();
        seen = new Seen(heads, Listeners.of(triggers.listening()));
        readAt = began;
        readTook = nanos.getAsLong() - began;
    }
}
