package dev.flowstone.kernel.state;

import dev.flowstone.kernel.program.Grid;
import java.time.Instant;

/**
 * Where a recurring timer stands on its grid, in one scope instance (R19).
 *
 * @param visit the newest of its node
 * @param done the tick that was fired last; the time of the first visit before any was
 * @param dueAt the tick that the newest visit stands for; equal to {@code done} once it has fired
 * @param missed ticks that nobody fires for, as far as the newest visit is concerned
 */
public record Tick(int visit, Instant done, Instant dueAt, Grid grid, int missed) {
    Tick fired() {
        return new Tick(visit, dueAt, dueAt, grid, missed);
    }
}
