package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The preview of one schedule. */
final class ScheduleCommandTest {
    @Test
    void showsLocalTimeUtcAndInHowLong() {
        Said said = Cli.here(
                "schedule", "0 9 * * MON-FRI", "--zone", "Europe/Berlin", "--from", "2026-11-27 08:30", "--count", "2");

        assertEquals(0, said.exit(), said::err);
        assertEquals(
                List.of(
                        "local time, Europe/Berlin       UTC                   in",
                        "Fri 2026-11-27 09:00:00 +01:00  2026-11-27T08:00:00Z  30 min 0 s",
                        "Mon 2026-11-30 09:00:00 +01:00  2026-11-30T08:00:00Z  3 d 0 h"),
                said.out().lines().toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "30 2 * * *    | 2026-03-08 | 02:30 does not exist on this day (clocks go forward): fires at 03:00",
                "*/30 * * * *  | 2026-03-08T01:45 | 02:00 does not exist on this day (clocks go forward): it and what else is"
                        + " due until 03:00 fires once, at 03:00",
                "30 1 * * *    | 2026-11-01 | 01:30 happens twice (clocks go back): fires once, at the first",
                "*/30 1 * * *  | 2026-11-01T00:59 | 01:00 happens twice (clocks go back): fires at both, this is the first",
                "*/30 1 * * *  | 2026-11-01T01:59:00-04:00 | 01:00 happens twice (clocks go back): fires at both, this is the"
                        + " second",
            })
    void saysWhatDaylightSavingDoes(String expression, String from, String note) {
        Said said = Cli.here("schedule", expression, "--zone", "America/New_York", "--from", from, "--count", "1");

        assertEquals(0, said.exit(), said::err);
        assertTrue(said.out().strip().endsWith("  " + note), said::out);
    }

    @Test
    void aWholeDayThatIsLeftOutIsNamedByItsDate() {
        Said said = Cli.here(
                "schedule", "0 9 * * *", "--zone", "Pacific/Apia", "--from", "2011-12-29 12:00", "--count", "1");

        assertTrue(said.out().contains("2011-12-30 09:00 does not exist"), said::out);
    }

    @Test
    void jsonIsOneObjectForEachDueTime() {
        Said said = Cli.here(
                "schedule",
                "0 30 2 * * *",
                "--zone",
                "America/New_York",
                "--from",
                "2026-03-07T12:00:00Z",
                "--count",
                "2",
                "--json");

        assertEquals(
                List.of(
                        "{\"inSeconds\":68400,\"local\":\"2026-03-08T03:00:00-04:00\",\"next\":\"2026-03-08T07:00:00Z\",\"note\":"
                                + "\"02:30 does not exist on this day (clocks go forward): fires at 03:00\"}",
                        "{\"inSeconds\":153000,\"local\":\"2026-03-09T02:30:00-04:00\",\"next\":\"2026-03-09T06:30:00Z\"}"),
                said.out().lines().toList());
    }

    @Test
    void saysNever() {
        assertEquals(
                "never: no year has such a day",
                Cli.here("schedule", "0 0 30 2 *").out().strip());
        assertEquals(
                "{\"never\":true}",
                Cli.here("schedule", "0 0 30 2 *", "--json").out().strip());
        assertEquals(0, Cli.here("schedule", "0 0 30 2 *").exit());
        assertTrue(Cli.here("schedule", "0 0 1 1 *", "--from", "9998-06-01", "--count", "3")
                .out()
                .endsWith("no other before the year 10000" + System.lineSeparator()));
    }

    @Test
    void aFaultNamesTheFieldAndWhatIsRight() {
        Said said = Cli.here("schedule", "60 * * * *");
        Said json = Cli.here("schedule", "60 * * * *", "--json");

        assertEquals(2, said.exit());
        assertTrue(said.err().contains("minute: 60 is out of range as a value; allowed: 0 to 59"), said::err);
        assertEquals(2, json.exit());
        assertEquals(
                "{\"error\":{\"field\":\"minute\",\"message\":\"60 is out of range as a value; allowed: 0 to 59\"}}",
                json.out().strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--zone Mars/Olympus | no time zone 'Mars/Olympus'",
                "--from yesterday    | is not a point in time of the years 1 to 9999",
                "--from 10000-01-01  | is not a point in time",
                "--count 0           | --count takes a number from 1 to 1000",
                "--count 1001        | --count takes a number from 1 to 1000",
                "MON                 | needs quotes",
            })
    void aCallThatCannotBeMeantIsExplained(String arguments, String words) {
        List<String> call = List.of(("schedule|0 9 * * *|" + arguments.replace(' ', '|')).split("\\|", -1));

        Said said = Cli.here(call.toArray(String[]::new));

        assertEquals(2, said.exit());
        assertTrue(said.err().contains(words), said::err);
    }
}
