package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.state.TimerState;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * {@code timers}: those that are set, next one first, and no others. The run's own deadline counts only if one of them
 * says {@code purpose: deadline}.
 */
record TimersCheck(List<Wanted> wanted) implements Check {
    private static final List<String> KEYS = List.of("node", "purpose", "due", "in");
    private static final List<String> PURPOSES =
            Arrays.stream(TimerPurpose.values()).map(Observed::word).toList();

    TimersCheck {
        wanted = List.copyOf(wanted);
    }

    /** One timer; what is empty may be anything. */
    record Wanted(Optional<String> node, Optional<String> purpose, Optional<Instant> due, Optional<Duration> in) {
        boolean fits(TimerState timer, Instant now) {
            return node.map(name -> name.equals(nodeOf(timer))).orElse(true)
                    && purpose.map(word -> word.equals(Observed.word(timer.purpose())))
                            .orElse(true)
                    && due.map(instant -> instant.equals(timer.dueAt())).orElse(true)
                    && in.map(wait -> wait.equals(Duration.between(now, timer.dueAt())))
                            .orElse(true);
        }

        @Override
        public String toString() {
            List<String> words = new ArrayList<>();
            node.ifPresent(words::add);
            purpose.ifPresent(words::add);
            due.ifPresent(instant -> words.add("due " + instant));
            in.ifPresent(wait -> words.add("in " + wait));
            return words.isEmpty() ? "any timer" : String.join(" ", words);
        }
    }

    static Optional<Check> read(Cursor value) {
        List<Wanted> wanted = new ArrayList<>();
        for (Cursor item : value.items()) {
            Members members = item.members(KEYS);
            wanted.add(new Wanted(
                    members.find("node").flatMap(Cursor::text),
                    members.find("purpose").flatMap(it -> it.word(PURPOSES)),
                    members.find("due").flatMap(Cursor::instant),
                    members.find("in").flatMap(Cursor::duration)));
        }
        return Optional.of(new TimersCheck(wanted));
    }

    @Override
    public List<String> differences(Observed run) {
        boolean withDeadline =
                wanted.stream().anyMatch(it -> it.purpose().equals(Optional.of(Observed.word(TimerPurpose.DEADLINE))));
        List<TimerState> timers = run.timers().stream()
                .filter(timer -> withDeadline || timer.purpose() != TimerPurpose.DEADLINE)
                .toList();
        boolean fit = timers.size() == wanted.size();
        List<String> found = new ArrayList<>();
        for (int i = 0; i < timers.size(); i++) {
            boolean fits = i < wanted.size() && wanted.get(i).fits(timers.get(i), run.now());
            fit &= fits;
            // A timer that fits is told in the words that expected it, so that both stand in one row.
            found.add(fits ? wanted.get(i).toString() : told(timers.get(i), run.now()));
        }
        return fit
                ? List.of()
                : SideBySide.of(wanted.stream().map(Wanted::toString).toList(), found);
    }

    private static String told(TimerState timer, Instant now) {
        return nodeOf(timer) + " " + Observed.word(timer.purpose()) + " due " + timer.dueAt() + " in "
                + Duration.between(now, timer.dueAt());
    }

    private static String nodeOf(TimerState timer) {
        return timer.activation().map(it -> it.node().value()).orElse("");
    }
}
