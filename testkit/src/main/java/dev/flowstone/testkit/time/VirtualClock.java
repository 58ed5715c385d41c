package dev.flowstone.testkit.time;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that moves only when it is told to. Thread-safe. */
public final class VirtualClock implements Clock {
    private final AtomicReference<Instant> now;

    public VirtualClock(Instant start) {
        this.now = new AtomicReference<>(requireNonNull(start));
    }

    /** A clock that begins at a date easy to read. */
    public static VirtualClock start() {
        return new VirtualClock(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Override
    public Instant now() {
        return requireNonNull(now.get());
    }

    public void advance(Duration by) {
        now.updateAndGet(time -> time.plus(by));
    }

    /** Moves to an instant, also back: real clocks do that too. */
    public void set(Instant time) {
        now.set(requireNonNull(time));
    }
}
