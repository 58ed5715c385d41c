package dev.flowstone.expression.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.kernel.schedule.ScheduleField;
import dev.flowstone.kernel.schedule.ScheduleFormat;
import dev.flowstone.kernel.schedule.Schedules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** The rows of {@code shared/suites/cron}, which nobody here wrote (Cronos, MIT). */
final class CronSuiteTest {
    private static final List<ScheduleField> SIX = List.of(
            ScheduleField.SECOND,
            ScheduleField.MINUTE,
            ScheduleField.HOUR,
            ScheduleField.DAY_OF_MONTH,
            ScheduleField.MONTH,
            ScheduleField.DAY_OF_WEEK);
    private static final Schedules SCHEDULES = new CronSchedules();

    @Test
    void findsTheNextTimeOfEveryRow() throws IOException {
        check("next", 527, row -> {
            Optional<Due> due =
                    read(row).next(row.zone(), row.time(2), row.column(4).equals("true"));
            return due.map(Due::at).equals(Optional.of(row.time(3)));
        });
    }

    @Test
    void saysNeverInFewSteps() throws IOException {
        check("never", 40, row -> {
            StepCount steps = new StepCount();
            CronSchedule schedule = read(row);
            return schedule.next(row.zone(), row.time(2), true, steps).isEmpty()
                    && steps.steps() <= 2
                    && schedule.isNever();
        });
    }

    @Test
    void refusesEveryInvalidRowAndNamesItsField() throws IOException {
        check("invalid", 148, row -> {
            ScheduleFormat format = ScheduleFormat.valueOf(row.column(1).toUpperCase(Locale.ROOT));
            return SCHEDULES.read(row.expression(), format) instanceof Schedules.Refused refused
                    && refused.fault().field() == culprit(row, format);
        });
    }

    /** The suite breaks one field of each row, by itself: the one that isn't a star. */
    private static ScheduleField culprit(CronRow row, ScheduleFormat format) {
        List<String> fields = List.of(row.expression().strip().split("[ \t]+", -1));
        List<ScheduleField> meant = format == ScheduleFormat.SECONDS ? SIX : SIX.subList(1, 6);
        for (int i = 0; fields.size() == meant.size() && i < meant.size(); i++) {
            if (!fields.get(i).equals("*")) {
                return meant.get(i);
            }
        }
        return ScheduleField.EXPRESSION;
    }

    private static CronSchedule read(CronRow row) {
        return switch (SCHEDULES.read(row.expression(), ScheduleFormat.EITHER)) {
            case Schedules.Parsed(CronSchedule schedule) -> schedule;
            case Schedules.Parsed parsed -> throw new AssertionFailedError("somebody else's: " + parsed);
            case Schedules.Refused(var fault) -> throw new AssertionFailedError(row + ": " + fault.message());
        };
    }

    private static void check(String file, int rows, Predicate<CronRow> passes) throws IOException {
        List<String> lines = Files.readAllLines(suite().resolve(file + ".tsv"));
        List<String> failed = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            if (!passes(passes, new CronRow(line))) {
                failed.add(line);
            }
        }
        int ran = lines.size() - 1;
        System.out.printf(
                "suite cron/%s: %d ran, %d passed, 0 unsupported, %d failed%n",
                file, ran, ran - failed.size(), failed.size());
        assertEquals(List.of(), failed);
        assertNotEquals(0, ran);
        assertEquals(rows, ran, "the suite has grown or shrunk");
    }

    private static boolean passes(Predicate<CronRow> test, CronRow row) {
        try {
            return test.test(row);
        } catch (AssertionFailedError e) {
            return false;
        }
    }

    /** Where it is absent the test is skipped, visibly; in CI it fails. */
    private static Path suite() {
        Path cron = Path.of(System.getProperty("flowstone.shared", "../../shared"), "suites", "cron");
        if (!Files.isDirectory(cron)) {
            if ("true".equals(System.getenv("CI"))) {
                throw new AssertionFailedError(cron + " is missing in CI; set flowstone.shared");
            }
            Assumptions.abort(cron + " is not here; set flowstone.shared");
        }
        return cron;
    }
}
