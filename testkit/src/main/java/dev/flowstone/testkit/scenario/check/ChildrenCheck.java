package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code children}: these were started and no others, in this order. Of each {@code node}, {@code workflow}, and any key of
 * {@code then}, compared with the child.
 */
record ChildrenCheck(List<Child> expected) implements Check {
    private static final List<String> NAMES = List.of("node", "workflow");

    ChildrenCheck {
        expected = List.copyOf(expected);
    }

    record Child(Optional<String> node, Optional<String> workflow, Expectation then) {}

    static Optional<Check> read(Cursor value) {
        List<Child> children = new ArrayList<>();
        for (Cursor item : value.items()) {
            List<String> known = new ArrayList<>(NAMES);
            known.addAll(CheckKind.keys());
            Members members = item.members(known);
            children.add(new Child(
                    members.find("node").flatMap(Cursor::text),
                    members.find("workflow").flatMap(Cursor::text),
                    Expectation.of("children", members)));
        }
        return Optional.of(new ChildrenCheck(children));
    }

    @Override
    public List<String> differences(Observed run) {
        List<ChildStarted> found = run.all(ChildStarted.class).toList();
        List<String> lines = new ArrayList<>();
        if (found.size() != expected.size()) {
            lines.add("expected " + expected.size() + " of them, were "
                    + found.stream().map(ChildrenCheck::told).toList());
        }
        for (int i = 0; i < Math.min(found.size(), expected.size()); i++) {
            compare(lines, i, expected.get(i), found.get(i), run);
        }
        return lines;
    }

    private static void compare(List<String> lines, int place, Child wanted, ChildStarted child, Observed run) {
        String name = "child " + (place + 1) + ", " + told(child) + "  ";
        String node = child.activation().node().value();
        wanted.node().filter(it -> !it.equals(node)).ifPresent(it -> lines.add(name + "expected one of node " + it));
        wanted.workflow()
                .filter(it -> !it.equals(child.called().value()))
                .ifPresent(it -> lines.add(name + "expected workflow " + it));
        Optional<Observed> seen = run.surroundings().run(child.child());
        if (seen.isEmpty()) {
            lines.add(name + "did not begin");
            return;
        }
        for (Difference difference : wanted.then().differences(seen.get())) {
            difference.lines().forEach(line -> lines.add(name + difference.key() + "  " + line));
        }
    }

    private static String told(ChildStarted child) {
        return child.activation().node() + " → " + child.called();
    }
}
