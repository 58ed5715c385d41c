package dev.flowstone.kernel.state;

import java.time.Duration;

/** A timer that stands still while its run is suspended, and what is left of its time. */
public record FrozenTimer(TimerState timer, Duration remaining) {}
