package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.read.EditWindow;
import java.util.Optional;

/**
 * How a run's subject may be edited from this move on (R16). The first row of a run binds it: it is refused, and the whole
 * commit with it, if the subject has a newer version, or if the run or another one that lives there must be alone.
 *
 * @param window empty leaves it as it is; at first, open
 * @param version of the subject that the run knows
 * @param live false once the run has ended: the window outlives it until another run is bound
 */
public record WindowRow(
        Subject subject, boolean first, Optional<EditWindow> window, long version, boolean exclusive, boolean live) {
    public WindowRow {
        requireNonNull(subject);
        requireNonNull(window);
    }
}
