package dev.flowstone.testkit.scenario.check;

import static java.util.Objects.requireNonNull;

import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All that a {@code then} or an {@code expect} says. */
public record Expectation(List<Placed> checks) {
    public Expectation {
        checks = List.copyOf(checks);
    }

    /**
     * One check and where it stands.
     *
     * @param key such as {@code then.status}
     */
    public record Placed(String key, int line, Check check) {
        public Placed {
            requireNonNull(key);
            requireNonNull(check);
        }
    }

    /** Reads it, as far as it can be read. */
    public static Expectation read(String where, Cursor value) {
        return of(where, value.members(CheckKind.keys()));
    }

    /** What these members say; other keys than those of {@code then} don't count. */
    static Expectation of(String where, Members members) {
        List<Placed> checks = new ArrayList<>();
        for (CheckKind kind : CheckKind.values()) {
            Optional<Cursor> member = members.find(kind.key());
            if (member.isPresent()) {
                int line = member.get().line();
                kind.read(member.get())
                        .ifPresent(check -> checks.add(new Placed(where + "." + kind.key(), line, check)));
            }
        }
        return new Expectation(checks);
    }

    /** With the status that is meant where none is said. */
    public Expectation orStatus(String key, int line, String status) {
        if (status().findFirst().isPresent()) {
            return this;
        }
        List<Placed> all = new ArrayList<>();
        all.add(new Placed(key, line, new StatusCheck(status)));
        all.addAll(checks);
        return new Expectation(all);
    }

    /** Whether it expects a run that is over; one that doesn't say may be anything. */
    public boolean isOfTheEnd() {
        return status().allMatch(StatusCheck::isFinal);
    }

    private Stream<StatusCheck> status() {
        return checks.stream()
                .map(Placed::check)
                .filter(StatusCheck.class::isInstance)
                .map(StatusCheck.class::cast);
    }

    /** Where the run is otherwise, in the order of the keys. */
    public List<Difference> differences(Observed run) {
        List<Difference> differences = new ArrayList<>();
        for (Placed placed : checks) {
            List<String> lines = placed.check().differences(run);
            if (!lines.isEmpty()) {
                differences.add(new Difference(placed.key(), placed.line(), lines));
            }
        }
        return differences;
    }
}
