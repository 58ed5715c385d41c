package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.schedule.Schedule;
import dev.flowstone.kernel.schedule.ScheduleFault;
import dev.flowstone.kernel.schedule.ScheduleFormat;
import dev.flowstone.kernel.schedule.Schedules;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;

/**
 * Answers lines one by one, each with one JSON object before the next is read: {@code {"next": …}}, {@code {"never": true}}
 * or {@code {"error": {field, message}}}. A line that makes no sense is an error and ends nothing; memory is bounded by the
 * longest line that can make sense.
 */
final class ScheduleLines {
    static final JsonObject NEVER = JsonObject.builder().put("never", true).build();

    private static final int LONGEST = 4_000;
    private static final int FEWEST = 3;
    private static final int MOST = 5;

    private final Schedules schedules;

    ScheduleLines(Schedules schedules) {
        this.schedules = schedules;
    }

    /** Until the lines end, or nobody listens any more. */
    void answer(Reader in, PrintWriter out) throws IOException {
        BoundedLines lines = new BoundedLines(in, LONGEST);
        // checkError flushes, so that whoever asks line by line is answered line by line.
        while (!out.checkError() && lines.next()) {
            out.println(text(
                    lines.isTooLong() ? error("line", "more than " + LONGEST + " characters") : answer(lines.line())));
        }
        out.flush();
    }

    private JsonObject answer(String line) {
        List<String> columns = Arrays.asList(line.split("\t", -1));
        String format = column(columns, 4);
        if (!format.isEmpty() && !format.equals("standard") && !format.equals("seconds")) {
            return error("format", "'" + Printable.cut(format, 60) + "' is no format; allowed: standard, seconds");
        }
        return switch (schedules.read(columns.getFirst(), format(format))) {
            case Schedules.Refused(ScheduleFault fault) -> error(fault);
            case Schedules.Parsed(Schedule schedule) -> next(schedule, columns);
        };
    }

    private static JsonObject next(Schedule schedule, List<String> columns) {
        if (columns.size() < FEWEST || columns.size() > MOST) {
            return error(
                    "line",
                    columns.size()
                            + " columns; allowed: expression, zone, from[, inclusive[, format]], with tabs between");
        }
        String field = "zone";
        try {
            ZoneId zone = PointInTime.zone(column(columns, 1));
            field = "from";
            Instant from = PointInTime.parse(column(columns, 2), zone);
            field = "inclusive";
            boolean inclusive = inclusive(column(columns, 3));
            return schedule.next(zone, from, inclusive)
                    .map(due -> JsonObject.builder()
                            .put("next", due.at().toString())
                            .build())
                    .orElse(NEVER);
        } catch (UsageException e) {
            return error(field, String.valueOf(e.getMessage()));
        }
    }

    private static boolean inclusive(String text) throws UsageException {
        return switch (text) {
            case "true" -> true;
            case "false", "" -> false;
            default -> throw new UsageException("'" + Printable.cut(text, 60) + "' is neither; allowed: true, false");
        };
    }

    private static ScheduleFormat format(String text) {
        return switch (text) {
            case "standard" -> ScheduleFormat.STANDARD;
            case "seconds" -> ScheduleFormat.SECONDS;
            default -> ScheduleFormat.EITHER;
        };
    }

    private static String column(List<String> columns, int number) {
        return number < columns.size() ? columns.get(number).strip() : "";
    }

    static JsonObject error(ScheduleFault fault) {
        return error(fault.field().toString(), fault.problem() + "; allowed: " + fault.allowed());
    }

    private static JsonObject error(String field, String message) {
        JsonObject error = JsonObject.builder()
                .put("field", field)
                .put("message", Printable.text(message))
                .build();
        return JsonObject.builder().put("error", error).build();
    }

    static String text(JsonObject object) {
        return CanonicalJson.exactText(object);
    }
}
