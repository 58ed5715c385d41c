package dev.flowstone.engine.stuck;

import dev.flowstone.kernel.state.RunStatus;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** A way through rows along one index, in which runs that stand still are found. All of them together are a round. */
public enum Scan {
    RUNNING,
    FAILING,
    COMPENSATING,
    CANCELING,
    AWAKE,
    TIMERS,
    MESSAGES,
    LETTERS;

    /** Of a scan through runs that sleep: the status that they have. */
    public Optional<RunStatus> quiet() {
        return switch (this) {
            case RUNNING -> Optional.of(RunStatus.RUNNING);
            case FAILING -> Optional.of(RunStatus.FAILING);
            case COMPENSATING -> Optional.of(RunStatus.COMPENSATING);
            case CANCELING -> Optional.of(RunStatus.CANCELING);
            case AWAKE, TIMERS, MESSAGES, LETTERS -> Optional.empty();
        };
    }

    /** Whether a run is only a suspect until its state was looked at. */
    public boolean needsState() {
        return quiet().isPresent() || this == AWAKE;
    }

    private Set<StuckKind> finds() {
        return switch (this) {
            case RUNNING, FAILING, COMPENSATING, CANCELING ->
                Set.of(StuckKind.WAITS_FOR_NOTHING, StuckKind.ROWS_DIFFER, StuckKind.DAMAGED);
            case AWAKE -> Set.of(StuckKind.NO_PROGRESS, StuckKind.NO_WORKER, StuckKind.ROWS_DIFFER, StuckKind.DAMAGED);
            case TIMERS -> Set.of(StuckKind.TIMER_OVERDUE);
            case MESSAGES -> Set.of(StuckKind.MESSAGE_WAITING);
            case LETTERS -> Set.of(StuckKind.LETTER_WAITING);
        };
    }

    /** Whether it can find any of these. */
    boolean finds(Set<StuckKind> kinds) {
        return finds().stream().anyMatch(kinds::contains);
    }

    /** The next one that can find any of these. */
    Optional<Scan> next(Set<StuckKind> kinds) {
        return Arrays.stream(values())
                .dropWhile(scan -> scan != this)
                .skip(1)
                .filter(scan -> scan.finds(kinds))
                .findFirst();
    }
}
