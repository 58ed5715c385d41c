package dev.flowstone.testkit.scenario.check;

import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/** {@code visited}, {@code skipped}, {@code failed}: these nodes and no others, in any order. */
record NodesCheck(Which which, List<String> nodes) implements Check {
    /** Which of a run's nodes are meant. */
    enum Which {
        VISITED,
        SKIPPED,
        FAILED
    }

    NodesCheck {
        nodes = List.copyOf(nodes);
    }

    static Optional<Check> visited(Cursor value) {
        return read(Which.VISITED, value);
    }

    static Optional<Check> skipped(Cursor value) {
        return read(Which.SKIPPED, value);
    }

    static Optional<Check> failed(Cursor value) {
        return read(Which.FAILED, value);
    }

    private static Optional<Check> read(Which which, Cursor value) {
        return Names.read(value).map(nodes -> new NodesCheck(which, nodes));
    }

    @Override
    public List<String> differences(Observed run) {
        SequencedSet<String> found = switch (which) {
            case VISITED -> run.visited();
            case SKIPPED -> run.skipped();
            case FAILED -> run.failed();
        };
        List<String> lines = new ArrayList<>();
        add(lines, "- ", nodes, found);
        add(lines, "+ ", found, nodes);
        return lines;
    }

    private static void add(
            List<String> lines, String sign, Collection<String> these, Collection<String> withoutThose) {
        these.stream().filter(node -> !withoutThose.contains(node)).distinct().forEach(node -> lines.add(sign + node));
    }
}
