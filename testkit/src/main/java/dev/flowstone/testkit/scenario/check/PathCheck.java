package dev.flowstone.testkit.scenario.check;

import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.List;
import java.util.Optional;

/** {@code path}: the nodes that were completed, in order, all of them. */
record PathCheck(List<String> path) implements Check {
    PathCheck {
        path = List.copyOf(path);
    }

    static Optional<Check> read(Cursor value) {
        return Names.read(value).map(PathCheck::new);
    }

    @Override
    public List<String> differences(Observed run) {
        return path.equals(run.path()) ? List.of() : SideBySide.of(path, run.path());
    }
}
