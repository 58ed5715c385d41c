package dev.flowstone.testkit.scenario.step;

import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.List;
import java.util.Optional;

/** {@code restart: kill}: the node dies; another takes over. An attempt that was under way is lost and counts. */
record Restart() implements Step {
    static Optional<Step> read(Cursor value) {
        return value.word(List.of("kill")).map(_ -> new Restart());
    }

    @Override
    public void perform(Stage stage) {
        stage.replaceNode();
    }
}
