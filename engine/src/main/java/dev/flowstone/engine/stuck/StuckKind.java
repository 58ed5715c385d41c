package dev.flowstone.engine.stuck;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** In which way a run stands still. */
public enum StuckKind {
    /** Nothing that it waits for can come (I8). */
    WAITS_FOR_NOTHING,
    /** Rows beside its log don't say what its log says, so that nobody wakes it, or lists don't show it. */
    ROWS_DIFFER,
    /** Its log can't be read, or is not what was written. */
    DAMAGED,
    /** It has work under way, or left, and has not moved for long. */
    NO_PROGRESS,
    /** Only workers in other processes can go on with it, and none has answered for long: they are busy, or away. */
    NO_WORKER,
    /** A timer of it should have fired long ago. */
    TIMER_OVERDUE,
    /** A message for it has not been taken for long. */
    MESSAGE_WAITING,
    /** A letter to it, or from it to a channel, is not known to have arrived, for long. */
    LETTER_WAITING,
    /** The node that has it can't go on with it, and has set it aside. */
    SET_ASIDE;

    /** Whether something is wrong; what waits for workers may wait for as long as it has to. */
    public boolean alarms() {
        return this != NO_WORKER;
    }

    /** As interfaces spell it: {@code waits_for_nothing}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind that is spelled so. */
    public static Optional<StuckKind> of(String text) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equals(text))
                .findFirst();
    }
}
