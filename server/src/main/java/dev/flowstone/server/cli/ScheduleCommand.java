package dev.flowstone.server.cli;

import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.kernel.schedule.Schedule;
import dev.flowstone.kernel.schedule.ScheduleFault;
import dev.flowstone.kernel.schedule.ScheduleFormat;
import dev.flowstone.kernel.schedule.Schedules;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code schedule}: when a schedule is due. Opens no database. */
@Command(
        name = "schedule",
        header = "Show when a schedule is due, and what daylight saving does to it.",
        description = {
            "Fields: [second] minute hour day-of-month month day-of-week, or a macro: @every_second @every_minute @hourly"
                    + " @daily @midnight @weekly @monthly @yearly @annually.",
            "In each: * ? 5 1-5 50-10 */15 10/15 0-30/5 and lists of values, ranges and steps: 0,30. Names: JAN-DEC,"
                    + " SUN-SAT; 0 and 7 are Sunday.",
            "Days of the month: L (last), L-2, 15W (nearest weekday), LW, L-2W. Days of the week: FRIL (last), FRI#2"
                    + " (second). Both day fields must hold. A month without a day 31 is skipped.%n"
        },
        footer = {
            "",
            "Examples:",
            "  flowstone schedule '30 2 * * *' --zone Europe/Berlin",
            "  flowstone schedule '0 9 LW * *' --from 2026-01-01 --count 12",
            "  flowstone schedule '*/30 * * * * *' --json",
            "  printf '30 2 * * *\\tEurope/Berlin\\t2026-03-28\\ttrue\\n' | flowstone schedule -",
            "",
            Exit.HELP
        })
final class ScheduleCommand implements Callable<Integer> {
    private static final int MOST = 1_000;

    private final Terminal terminal;
    private final Schedules schedules = new CronSchedules();

    @Parameters(
            arity = "1..*",
            paramLabel = "EXPR|-",
            description = {
                "A cron expression, in quotes; or - to answer lines on standard input, each with one JSON object:",
                "expression<TAB>zone<TAB>from<TAB>inclusive (true|false)[<TAB>standard|seconds]"
            })
    private List<String> expressions = new ArrayList<>();

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "Whose wall clock is meant (default: ${DEFAULT-VALUE}).")
    private String zone = "UTC";

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Show what is due after it; local to the zone if it has no offset (default: now).")
    private @Nullable String from;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "5",
            description = "How many due times, up to " + MOST + " (default: ${DEFAULT-VALUE}).")
    private int count = 5;

    @Option(names = "--json", description = "Print one JSON object for each due time, {\"never\":true} after the last.")
    private boolean json;

    ScheduleCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        String expression = expressions.getFirst();
        if (expressions.size() > 1) {
            throw new UsageException(
                    "an expression is one argument, so it needs quotes: " + Hints.COMMAND + " schedule '0 9 * * *'");
        }
        if (expression.equals("-")) {
            Reader in = new InputStreamReader(System.in, StandardCharsets.UTF_8);
            new ScheduleLines(schedules).answer(in, terminal.out());
            return Exit.SUCCEEDED;
        }
        if (count < 1 || count > MOST) {
            throw new UsageException("--count takes a number from 1 to " + MOST);
        }
        ZoneId place = PointInTime.zone(zone);
        Instant start = from == null ? Instant.now() : PointInTime.parse(from, place);
        return switch (schedules.read(expression, ScheduleFormat.EITHER)) {
            case Schedules.Refused(ScheduleFault fault) -> refuse(expression, fault);
            case Schedules.Parsed(Schedule schedule) -> preview(schedule, place, start);
        };
    }

    private int preview(Schedule schedule, ZoneId place, Instant start) {
        SchedulePreview preview = new SchedulePreview(terminal, place, start, json);
        preview.begin(schedule);
        Optional<Due> due = schedule.next(place, start, false);
        for (int shown = 0; shown < count && due.isPresent(); shown++) {
            preview.due(due.get());
            due = schedule.next(place, due.get().at(), false);
        }
        if (due.isEmpty()) {
            preview.never(schedule);
        }
        return Exit.SUCCEEDED;
    }

    private int refuse(String expression, ScheduleFault fault) throws UsageException {
        if (!json) {
            throw new UsageException("'" + Printable.cut(expression, 80) + "' is no schedule.\n" + fault.message());
        }
        terminal.out().println(ScheduleLines.text(ScheduleLines.error(fault)));
        return Exit.INVALID;
    }
}
