package dev.flowstone.testkit.scenario.step;

import dev.flowstone.testkit.scenario.source.Cursor;
import java.time.Instant;
import java.util.Optional;

/** {@code advanceTo: 2026-03-01T00:00:00Z}: time passes until then. */
record ClockMove(Instant to) implements Step {
    static Optional<Step> read(Cursor value) {
        return value.instant().map(ClockMove::new);
    }

    @Override
    public void perform(Stage stage) throws StepException {
        if (to.isBefore(stage.now())) {
            throw new StepException("it is " + stage.now() + " already, and time never goes back");
        }
        stage.advanceTo(to);
    }
}
