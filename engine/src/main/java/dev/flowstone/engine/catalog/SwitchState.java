package dev.flowstone.engine.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import java.time.Instant;
import java.util.Optional;

/**
 * What operators made of an action or a connector.
 *
 * @param revision counts its changes; 0 if nobody ever turned it off
 * @param change the last one, if there was one
 */
public record SwitchState(boolean on, long revision, Optional<Change> change) {
    /** Nobody ever turned it off. */
    public static final SwitchState UNTOUCHED = new SwitchState(true, 0, Optional.empty());

    public SwitchState {
        requireNonNull(change);
        if (change.isPresent() != revision > 0) {
            throw new IllegalArgumentException("the first change is revision 1");
        }
    }

    /** When, by whom and why. */
    public record Change(Instant at, Actor by, Optional<String> reason) {
        public Change {
            requireNonNull(at);
            requireNonNull(by);
            requireNonNull(reason);
        }
    }
}
