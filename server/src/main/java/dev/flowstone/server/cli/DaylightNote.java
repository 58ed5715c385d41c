package dev.flowstone.server.cli;

import dev.flowstone.kernel.schedule.Due;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What daylight saving did to a due time, in plain words. */
final class DaylightNote {
    private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private DaylightNote() {}

    /**
     * One sentence, or empty if there is nothing to say.
     *
     * @param local what the wall clock shows when it fires
     */
    static String of(Due due, LocalDateTime local) {
        String wanted = text(due.wall(), local);
        return switch (due.clock()) {
            case PLAIN -> "";
            case MOVED -> wanted + " does not exist on this day (clocks go forward): fires at " + text(local, local);
            case MERGED ->
                wanted + " does not exist on this day (clocks go forward): it and what else is due until "
                        + text(local, local) + " fires once, at " + text(local, local);
            case ONCE_OF_TWO -> wanted + " happens twice (clocks go back): fires once, at the first";
            case FIRST_OF_TWO -> wanted + " happens twice (clocks go back): fires at both, this is the first";
            case SECOND_OF_TWO -> wanted + " happens twice (clocks go back): fires at both, this is the second";
        };
    }

    private static String text(LocalDateTime time, LocalDateTime local) {
        String clock = (time.getSecond() == 0 ? MINUTES : SECONDS).format(time);
        return time.toLocalDate().equals(local.toLocalDate()) ? clock : time.toLocalDate() + " " + clock;
    }
}
