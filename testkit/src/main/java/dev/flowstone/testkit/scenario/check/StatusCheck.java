package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code status}: a run's own, in lower case, or {@code refused}. */
record StatusCheck(String status) implements Check {
    private static final List<String> KNOWN = Stream.concat(
                    Arrays.stream(RunStatus.values()).map(it -> it.name().toLowerCase(Locale.ROOT)),
                    Stream.of(Observed.REFUSED))
            .toList();

    /** Whether a run stays in it. */
    boolean isFinal() {
        return status.equals(Observed.REFUSED)
                || RunStatus.valueOf(status.toUpperCase(Locale.ROOT)).isFinal();
    }

    static Optional<Check> read(Cursor value) {
        return value.word(KNOWN).map(StatusCheck::new);
    }

    @Override
    public List<String> differences(Observed run) {
        return run.status().equals(status)
                ? List.of()
                : List.of("expected " + status + ", was " + run.status() + ErrorCheck.reason(run));
    }
}
