package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.kernel.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Due times, a line each: local time with its offset, UTC, in how long, and what daylight saving did. */
final class SchedulePreview {
    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm:ss xxx", Locale.ROOT);
    private static final DateTimeFormatter JSON_LOCAL =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx", Locale.ROOT);

    private final Terminal terminal;
    private final ZoneId zone;
    private final Instant from;
    private final boolean json;

    SchedulePreview(Terminal terminal, ZoneId zone, Instant from, boolean json) {
        this.terminal = terminal;
        this.zone = zone;
        this.from = from;
        this.json = json;
    }

    void begin(Schedule schedule) {
        if (!json && !schedule.isNever()) {
            terminal.out().println(terminal.dim(row("local time, " + zone, "UTC", "in", "")));
        }
    }

    void due(Due due) {
        ZonedDateTime local = due.at().atZone(zone);
        String note = DaylightNote.of(due, local.toLocalDateTime());
        Duration wait = Duration.between(from, due.at());
        if (json) {
            JsonObject.Builder object = JsonObject.builder()
                    .put("next", due.at().toString())
                    .put("local", JSON_LOCAL.format(local))
                    .put("inSeconds", wait.toSeconds());
            if (!note.isEmpty()) {
                object.put("note", note);
            }
            terminal.out().println(ScheduleLines.text(object.build()));
        } else {
            String row = row(LOCAL.format(local), due.at().toString(), brief(wait), "");
            terminal.out().println(note.isEmpty() ? row : row + "  " + terminal.yellow(note));
        }
    }

    void never(Schedule schedule) {
        if (json) {
            terminal.out().println(ScheduleLines.text(ScheduleLines.NEVER));
        } else if (schedule.isNever()) {
            terminal.out().println("never: no year has such a day");
        } else {
            terminal.out().println("no other before the year 10000");
        }
    }

    private static String row(String local, String utc, String in, String note) {
        return String.format(Locale.ROOT, "%-30s  %-20s  %-12s  %s", local, utc, in, note)
                .stripTrailing();
    }

    /** Two units are enough to plan by. */
    private static String brief(Duration wait) {
        if (wait.toDays() > 0) {
            return wait.toDays() + " d " + wait.toHoursPart() + " h";
        }
        if (wait.toHours() > 0) {
            return wait.toHours() + " h " + wait.toMinutesPart() + " min";
        }
        return wait.toMinutes() > 0
                ? wait.toMinutes() + " min " + wait.toSecondsPart() + " s"
                : wait.toSeconds() + " s";
    }
}
