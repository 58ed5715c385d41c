package dev.flowstone.engine.stuck;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.shard.Projected;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Why a run stands still, as its state says, and what helps. Pure.
 *
 * @param why in words
 */
public record Standstill(StuckKind kind, String why, Help help) {
    private static final int SHOWN = 3;

    public Standstill {
        requireNonNull(kind);
        requireNonNull(why);
        requireNonNull(help);
    }

    /**
     * Of a run that isn't over by its row, which says that it sleeps, and that has neither a timer nor a human task in the
     * tables; it has not moved for long.
     */
    public static Optional<Standstill> ofQuiet(RunState state) {
        if (state.status().isFinal()) {
            return differ("its row says that it lives, and its log that it is over: " + state.status());
        }
        if (Projected.isAwake(state)) {
            return differ("its row says that it sleeps, and its log that " + work(state));
        }
        if (!state.timers().isEmpty()) {
            return differ("the table of timers has nothing of it, and its log says that "
                    + names(state.timers().stream()
                            .map(timer -> timer.timer().value())
                            .toList())
                    + " is set");
        }
        if (!state.humanTasks().isEmpty()) {
            return differ("the list of human tasks has nothing of it, and its log says that "
                    + names(state.humanTasks().stream()
                            .map(open -> open.task().activation().toString())
                            .toList())
                    + " is open");
        }
        Set<WaitsFor> waits = WaitsFor.of(state);
        return waits.isEmpty()
                ? Optional.of(new Standstill(
                        StuckKind.WAITS_FOR_NOTHING,
                        "it is " + state.status() + ", and waits for nothing that could come",
                        state.status() == RunStatus.RUNNING ? Help.FORCE_FAIL : Help.TERMINATE))
                : Optional.empty();
    }

    /**
     * Of a run that should be moving, as its row says.
     *
     * @param idle since its last event
     * @param after how long that is no reason to worry; an attempt may take as long as its timeout
     * @param remote what workers in other processes do: timeouts count from their claim, before which it waits
     */
    public static Optional<Standstill> ofAwake(
            RunState state, Duration idle, Duration after, Predicate<HandlerName> remote) {
        if (!Projected.isAwake(state)) {
            return differ("its row says that something is under way, and its log that nothing is");
        }
        if (state.hold() == Hold.SUSPENDED) {
            return Optional.empty();
        }
        Duration longest = state.openAttempts().stream()
                .map(Attempt::timeout)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        boolean bearable = idle.compareTo(after) < 0 || (!state.continues() && idle.compareTo(longest) < 0);
        if (bearable) {
            return Optional.empty();
        }
        boolean forWorkers = !state.continues()
                && state.openAttempts().stream().map(Attempt::handler).allMatch(remote);
        return Optional.of(new Standstill(
                forWorkers ? StuckKind.NO_WORKER : StuckKind.NO_PROGRESS,
                work(state) + ", and it has not moved for " + seconds(idle),
                forWorkers ? Help.START_WORKERS : Help.REENQUEUE));
    }

    private static Optional<Standstill> differ(String why) {
        return Optional.of(new Standstill(StuckKind.ROWS_DIFFER, why, Help.REBUILD));
    }

    private static String work(RunState state) {
        if (state.openAttempts().isEmpty()) {
            return "it has work left to go on with";
        }
        return names(state.openAttempts().stream()
                        .map(attempt -> attempt.activation() + " (attempt " + attempt.attempt() + ", "
                                + attempt.handler() + ")")
                        .toList())
                + " has no answer";
    }

    private static String names(List<String> names) {
        String first = names.stream().limit(SHOWN).collect(Collectors.joining(", "));
        return names.size() > SHOWN ? first + " and " + (names.size() - SHOWN) + " more" : first;
    }

    private static Duration seconds(Duration time) {
        return Duration.ofSeconds(time.toSeconds());
    }
}
