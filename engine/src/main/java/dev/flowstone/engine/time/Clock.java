package dev.flowstone.engine.time;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The only source of time in the engine. Virtual in tests. */
@FunctionalInterface
public interface Clock {
    /** In microseconds, as events and databases keep times, so that what is answered now is what is read later. */
    Clock SYSTEM = () -> Instant.now().truncatedTo(ChronoUnit.MICROS);

    Instant now();
}
