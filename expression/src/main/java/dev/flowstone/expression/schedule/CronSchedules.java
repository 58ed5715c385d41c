package dev.flowstone.expression.schedule;

import dev.flowstone.kernel.schedule.ScheduleField;
import dev.flowstone.kernel.schedule.ScheduleFormat;
import dev.flowstone.kernel.schedule.Schedules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Cron expressions and their macros. Stateless. */
public final class CronSchedules implements Schedules {
    private static final int LONGEST = 1_000;
    private static final Pattern BLANKS = Pattern.compile("[ \t]+");
    private static final String FIVE = "5 fields (minute hour day-of-month month day-of-week)";
    private static final String SIX = "6 fields (second minute hour day-of-month month day-of-week)";
    private static final Map<String, String> MACROS = new TreeMap<>(Map.of(
            "@every_second", "* * * * * *",
            "@every_minute", "0 * * * * *",
            "@hourly", "0 0 * * * *",
            "@daily", "0 0 0 * * *",
            "@midnight", "0 0 0 * * *",
            "@weekly", "0 0 0 * * 0",
            "@monthly", "0 0 0 1 * *",
            "@yearly", "0 0 0 1 1 *",
            "@annually", "0 0 0 1 1 *"));

    @Override
    public Reading read(String expression, ScheduleFormat format) {
        try {
            return new Parsed(parse(expression, format));
        } catch (FaultException e) {
            return new Refused(e.fault());
        }
    }

    private static CronSchedule parse(String expression, ScheduleFormat format) throws FaultException {
        if (expression.length() > LONGEST) {
            throw whole(expression.length() + " characters are too many", "at most " + LONGEST);
        }
        String stripped = stripBlanks(expression);
        if (stripped.startsWith("@")) {
            return parse(expression, fields(macro(stripped)));
        }
        List<String> fields = fields(stripped);
        requireCount(stripped.isEmpty() ? 0 : fields.size(), format);
        return parse(expression, fields);
    }

    private static CronSchedule parse(String expression, List<String> fields) throws FaultException {
        boolean hasSeconds = fields.size() == 6;
        int at = hasSeconds ? 1 : 0;
        FieldReader.Values seconds =
                hasSeconds ? FieldReader.read(Range.SECOND, fields.getFirst()) : FieldReader.Values.ZERO;
        FieldReader.Values minutes = FieldReader.read(Range.MINUTE, fields.get(at));
        FieldReader.Values hours = FieldReader.read(Range.HOUR, fields.get(at + 1));
        DaysOfMonth daysOfMonth = DayOfMonthReader.read(fields.get(at + 2));
        FieldReader.Values months = FieldReader.read(Range.MONTH, fields.get(at + 3));
        DaysOfWeek daysOfWeek = DayOfWeekReader.read(fields.get(at + 4));
        return new CronSchedule(
                expression,
                new WallTimes(
                        seconds.bits(),
                        minutes.bits(),
                        hours.bits(),
                        MonthTable.of(months.bits(), daysOfMonth, daysOfWeek)),
                seconds.isInterval() || minutes.isInterval() || hours.isInterval());
    }

    private static String macro(String stripped) throws FaultException {
        String fields = MACROS.get(stripped.toLowerCase(Locale.ROOT));
        if (fields == null) {
            throw whole("there is no macro " + FaultException.quoted(stripped), String.join(", ", MACROS.keySet()));
        }
        return fields;
    }

    private static void requireCount(int count, ScheduleFormat format) throws FaultException {
        boolean right = switch (format) {
            case STANDARD -> count == 5;
            case SECONDS -> count == 6;
            case EITHER -> count == 5 || count == 6;
        };
        if (!right) {
            String allowed = switch (format) {
                case STANDARD -> FIVE;
                case SECONDS -> SIX;
                case EITHER -> FIVE + ", or " + SIX;
            };
            throw whole(
                    "it has " + count + (count == 1 ? " field" : " fields"), allowed + ", or a macro such as @daily");
        }
    }

    private static List<String> fields(String stripped) {
        return List.of(BLANKS.split(stripped, -1));
    }

    private static String stripBlanks(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char character) {
        return character == ' ' || character == '\t';
    }

    private static FaultException whole(String problem, String allowed) {
        return new FaultException(ScheduleField.EXPRESSION, problem, allowed);
    }
}
