package dev.flowstone.engine.effect;

import dev.flowstone.engine.time.Pace;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one destination takes of this node: so many deliveries at once, at its pace; none while it asks to be left alone; and one
 * probe at a time while it fails.
 *
 * <pre>
 *          so many failures in a row                  a pause
 *   closed ─────────────────────────▶ open, resting ──────────▶ open, one probe
 *      ▲                                    ▲                      │       │
 *      │                                    └── it fails: longer ──┘       │
 *      └────────────────────────── it is answered ────────────────────────┘
 * </pre>
 *
 * Not thread-safe.
 */
final class Destination {
    private static final Duration BURST = Duration.ofSeconds(1);
    private static final Duration LONGEST_REST = Duration.ofSeconds(30);

    private final int atOnce;
    private final int opensAfter;
    private final Duration rest;
    private final @Nullable Pace pace;

    /** When the next delivery would be due, had all before been spread evenly. */
    private long due;

    private int failures;
    private int probes;
    private Instant restsUntil = Instant.MIN;

    /** As the other side has asked. */
    private Instant leftAloneUntil = Instant.MIN;

    Destination(OutboxConfig config, String name) {
        OutboxConfig.Limit limit = config.limit(name);
        this.atOnce = limit.atOnce();
        this.opensAfter = config.failures();
        this.rest = config.base();
        this.pace = limit.perSecond() == 0 ? null : Pace.of(limit.perSecond(), BURST);
    }

    private boolean isOpen() {
        return failures >= opensAfter;
    }

    /** How many more may begin now, while so many are under way. */
    int room(int flying, Instant now) {
        if (now.isBefore(leftAloneUntil)) {
            return 0;
        }
        if (isOpen()) {
            return flying == 0 && !now.isBefore(restsUntil) ? Math.min(1, paced(1, now)) : 0;
        }
        return paced(Math.max(0, atOnce - flying), now);
    }

    private int paced(int room, Instant now) {
        if (pace == null) {
            return room;
        }
        long at = Pace.nanos(now);
        long next = pace.next(due, at);
        int count = 0;
        while (count < room && pace.early(next, at) <= 0) {
            next += pace.step();
            count++;
        }
        return count;
    }

    /** One has begun. */
    void begun(Instant now) {
        if (pace != null) {
            due = pace.next(due, Pace.nanos(now)) + pace.step();
        }
    }

    /** The other side has answered, whatever it thinks of the message. */
    void answered() {
        failures = 0;
        probes = 0;
    }

    /**
     * One has failed, and may go better next time.
     *
     * @param asked for which the other side wants to be left alone, with whatever message; zero if it did not say
     */
    void failed(Instant now, Duration asked) {
        Instant until = now.plus(asked);
        leftAloneUntil = until.isAfter(leftAloneUntil) ? until : leftAloneUntil;
        boolean wasOpen = isOpen();
        failures++;
        if (isOpen()) {
            probes = wasOpen && !now.isBefore(restsUntil) ? probes + 1 : probes;
            restsUntil = now.plus(pause());
        }
    }

    private Duration pause() {
        Duration pause = rest;
        for (int i = 0; i < probes && pause.compareTo(LONGEST_REST) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(LONGEST_REST) < 0 ? pause : LONGEST_REST;
    }
}
