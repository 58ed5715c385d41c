package dev.flowstone.testkit.scenario.step;

import dev.flowstone.testkit.scenario.check.Expectation;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.Optional;

/** {@code expect: {…}}: the keys of {@code then}, compared here and now. */
record Expect(Expectation expectation) implements Step {
    static Optional<Step> read(Cursor value) {
        return Optional.of(new Expect(Expectation.read("expect", value)));
    }

    @Override
    public void perform(Stage stage) {
        stage.expect(expectation);
    }
}
