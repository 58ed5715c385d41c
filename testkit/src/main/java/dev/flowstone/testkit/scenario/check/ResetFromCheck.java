package dev.flowstone.testkit.scenario.check;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.ControlEvent.RunReset;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code resetFrom}: this run began at a point of another one, at event {@code sequence} of it; any key of {@code then} is
 * compared with the other one.
 */
record ResetFromCheck(Optional<Integer> sequence, Expectation other) implements Check {
    ResetFromCheck {
        requireNonNull(sequence);
        requireNonNull(other);
    }

    static Optional<Check> read(Cursor value) {
        List<String> known = new ArrayList<>(List.of("sequence"));
        known.addAll(CheckKind.keys());
        Members members = value.members(known);
        return Optional.of(new ResetFromCheck(
                members.find("sequence").flatMap(Cursor::count), Expectation.of("resetFrom", members)));
    }

    @Override
    public List<String> differences(Observed run) {
        Optional<RunReset> first = run.all(RunReset.class).findFirst();
        if (first.isEmpty()) {
            return List.of("expected a run that began at a point of another one, began at its start");
        }
        RunReset reset = first.get();
        List<String> lines = new ArrayList<>();
        sequence.filter(it -> it != reset.sequence())
                .ifPresent(it -> lines.add("expected sequence " + it + ", was " + reset.sequence()));
        Observed before = run.surroundings()
                .run(reset.from())
                .orElseThrow(() -> new IllegalStateException("a run began at a point of one that never was"));
        for (Difference difference : other.differences(before)) {
            difference.lines().forEach(line -> lines.add(difference.key() + "  " + line));
        }
        return lines;
    }
}
