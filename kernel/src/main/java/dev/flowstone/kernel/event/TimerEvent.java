package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Grid;
import java.time.Instant;

/** What happens to recurring timers beyond being set and fired (R19). */
public sealed interface TimerEvent extends EventBody {
    /**
     * Which tick of its grid a visit of a recurring timer stands for from now on. Comes once as the visit begins, and again
     * if the timer fires so late that another tick has to take the place of the first.
     *
     * @param missed ticks since the last that was fired for which nobody fires: those that {@code dueAt} stands for
     *     besides itself, or those that are skipped; counted up to a bound
     */
    record TickPlanned(ActivationId activation, Instant dueAt, Grid grid, int missed) implements TimerEvent {
        public TickPlanned {
            requireNonNull(activation);
            requireNonNull(dueAt);
            requireNonNull(grid);
        }
    }
}
