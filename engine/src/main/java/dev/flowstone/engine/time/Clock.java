package dev.flowstone.engine.time;

import java.time.Instant;

/** The only source of time in the engine. Virtual in tests. */
@FunctionalInterface
public interface Clock {
    Clock SYSTEM = Instant::now;

    Instant now();
}
