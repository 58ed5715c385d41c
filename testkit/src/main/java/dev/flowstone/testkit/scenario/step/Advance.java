package dev.flowstone.testkit.scenario.step;

import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Durations;
import java.time.Duration;
import java.util.Optional;

/** {@code advance: PT72H}: so much time passes. */
record Advance(Duration by) implements Step {
    static Optional<Step> read(Cursor value) {
        return value.duration().map(Advance::new);
    }

    @Override
    public void perform(Stage stage) throws StepException {
        if (!stage.now().plus(by).isBefore(Durations.END_OF_TIME)) {
            throw new StepException("the clock can't go beyond the year 9999");
        }
        stage.advanceTo(stage.now().plus(by));
    }
}
