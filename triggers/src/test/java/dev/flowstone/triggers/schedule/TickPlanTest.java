package dev.flowstone.triggers.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a schedule fires, on time, late and after it was off. */
final class TickPlanTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Instant MONDAY = Instant.parse("2026-11-30T00:00:00Z");

    private static ScheduleRules rules(String cron, String zone, MissedFire missed, int most) {
        return new ScheduleRules(ScheduleRules.schedule(cron), ZoneId.of(zone), missed, most);
    }

    private static ScheduleRules daily(MissedFire missed) {
        return rules("0 9 * * *", "UTC", missed, 3);
    }

    private static Instant at(String time) {
        return Instant.parse(time);
    }

    private static List<Instant> all(String... times) {
        return Stream.of(times).map(Instant::parse).toList();
    }

    @ParameterizedTest
    @EnumSource
    void onTimeItFiresItsTickWhateverThePolicy(MissedFire missed) {
        Instant due = at("2026-12-01T09:00:00Z");

        TickPlan plan = TickPlan.of(daily(missed), Optional.of(due), MONDAY, due.plusMillis(20), MINUTE);

        assertEquals(new TickPlan(List.of(due), Optional.of(at("2026-12-02T09:00:00Z"))), plan);
        assertEquals(
                new TickPlan(List.of(), Optional.of(due)),
                TickPlan.of(daily(missed), Optional.of(due), MONDAY, due.minusMillis(1), MINUTE),
                "never early");
        assertEquals(
                new TickPlan(List.of(), Optional.of(due)),
                TickPlan.of(
                        daily(missed), Optional.empty(), MONDAY.plus(Duration.ofHours(9)), due.minusSeconds(9), MINUTE),
                "a new one counts from when it was made, and not that instant");
    }

    /** A takeover takes a while: what is due meanwhile isn't missed. */
    @ParameterizedTest
    @EnumSource
    void whatIsLateByLessThanItMayBeFiresEach(MissedFire missed) {
        ScheduleRules each = rules("*/5 * * * * *", "UTC", missed, 1);

        TickPlan plan =
                TickPlan.of(each, Optional.of(at("2026-12-01T00:00:05Z")), MONDAY, at("2026-12-01T00:00:18Z"), MINUTE);

        assertEquals(
                new TickPlan(
                        all("2026-12-01T00:00:05Z", "2026-12-01T00:00:10Z", "2026-12-01T00:00:15Z"),
                        Optional.of(at("2026-12-01T00:00:20Z"))),
                plan);
    }

    /** Case 19. */
    @Test
    void aWeekOffLeavesNoBacklogUnlessItIsAskedFor() {
        Optional<Instant> due = Optional.of(at("2026-12-01T09:00:00Z"));
        Instant again = at("2026-12-08T08:00:00Z");
        Optional<Instant> next = Optional.of(at("2026-12-08T09:00:00Z"));

        assertEquals(new TickPlan(List.of(), next), TickPlan.of(daily(MissedFire.SKIP), due, again, again, MINUTE));
        assertEquals(
                new TickPlan(all("2026-12-07T09:00:00Z"), next),
                TickPlan.of(daily(MissedFire.ONCE), due, again, again, MINUTE));
        assertEquals(
                new TickPlan(all("2026-12-05T09:00:00Z", "2026-12-06T09:00:00Z", "2026-12-07T09:00:00Z"), next),
                TickPlan.of(daily(MissedFire.ALL), due, again, again, MINUTE),
                "the last three, as it says");
        ScheduleRules many = rules("0 9 * * *", "UTC", MissedFire.ALL, 100);
        assertEquals(7, TickPlan.of(many, due, again, again, MINUTE).ticks().size());
        assertEquals(
                TickPlan.of(daily(MissedFire.ALL), due, again, again, MINUTE),
                TickPlan.of(daily(MissedFire.ALL), due, MONDAY, again, MINUTE),
                "nothing ran: the same");
    }

    /** Whoever turns it off and on again within the minute isn't sent what passed meanwhile. */
    @Test
    void whatPassedWhileItWasOffIsMissedHoweverShortlyAgo() {
        ScheduleRules each = rules("* * * * * *", "UTC", MissedFire.SKIP, 1);

        TickPlan plan = TickPlan.of(
                each,
                Optional.of(at("2026-12-01T00:00:05Z")),
                at("2026-12-01T00:00:08.500Z"),
                at("2026-12-01T00:00:10.100Z"),
                MINUTE);

        assertEquals(all("2026-12-01T00:00:09Z", "2026-12-01T00:00:10Z"), plan.ticks());
    }

    @Test
    void theLastOfVeryManyThatWereMissedAreFoundAtOnce() {
        Instant since = at("2020-01-01T00:00:00Z");
        Instant now = at("2026-12-01T00:00:00.250Z");
        ScheduleRules each = rules("* * * * * *", "UTC", MissedFire.ALL, 1_000);

        TickPlan plan = TickPlan.of(each, Optional.of(since.plusSeconds(1)), since, now, Duration.ofSeconds(1));

        Instant last = at("2026-12-01T00:00:00Z");
        assertEquals(
                IntStream.rangeClosed(-1_000, 0).mapToObj(last::plusSeconds).toList(),
                plan.ticks(),
                "a thousand that were missed, and one that is late");
        ScheduleRules once = rules("* * * 1 1 *", "UTC", MissedFire.ONCE, 1);
        assertEquals(
                all("2026-01-01T23:59:59Z"),
                TickPlan.of(once, Optional.of(since), since, now, MINUTE).ticks());
    }

    /** The plans of any steps together fire what a look at each second finds. */
    @Test
    void whateverTheStepsEachTickFiresOnce() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (String cron : List.of("*/7 * * * * *", "0 */2 * * * *", "30 1,2 * * *", "*/20 59 1-3 * * *")) {
            ScheduleRules rules = rules(cron, "Europe/Berlin", MissedFire.ALL, 1_000);
            Instant start = at("2026-10-24T22:00:00Z");
            Instant end = start.plus(Duration.ofHours(8));
            List<Instant> expected = new ArrayList<>();
            for (var due = rules.next(start); !due.orElseThrow().at().isAfter(end); ) {
                expected.add(due.get().at());
                due = rules.next(due.get().at());
            }
            List<Instant> fired = new ArrayList<>();
            Optional<Instant> next = Optional.empty();
            Instant now = start;
            while (now.isBefore(end)) {
                Instant step = now.plusMillis(1 + random.nextInt(1_800_000));
                now = step.isAfter(end) ? end : step;
                TickPlan plan = TickPlan.of(rules, next, start, now, Duration.ofSeconds(1 + random.nextInt(600)));
                fired.addAll(plan.ticks());
                next = plan.next();
            }
            assertEquals(expected, fired, cron + " with seed " + seed);
        }
    }

    private static List<Instant> ticks(String cron, String zone, Instant from, Instant to) {
        ScheduleRules rules = rules(cron, zone, MissedFire.SKIP, 1);
        List<Instant> fired = new ArrayList<>();
        Optional<Instant> next = Optional.empty();
        for (Instant now = from; now.isBefore(to); now = now.plusSeconds(30)) {
            TickPlan plan = TickPlan.of(rules, next, from, now, MINUTE);
            fired.addAll(plan.ticks());
            next = plan.next();
        }
        return fired;
    }

    /** Case 17: where a change of the clock takes an hour, half an hour (Lord Howe), and at midnight (Beirut). */
    @Test
    void aDailyTickIsOnceADayAcrossBothChangesOfTheClock() {
        for (String zone : List.of(
                "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut", "UTC", "Asia/Kolkata")) {
            for (String cron : List.of("30 1 * * *", "30 2 * * *", "0 0 * * *")) {
                for (int month : List.of(3, 4, 10, 11)) {
                    ZoneId place = ZoneId.of(zone);
                    LocalDate first = LocalDate.of(2026, month, 1);
                    Instant from = first.atStartOfDay(place).toInstant().minusSeconds(1);
                    Instant to = first.plusMonths(1).atStartOfDay(place).toInstant();

                    List<Instant> ticks = ticks(cron, zone, from, to.minusSeconds(1));

                    String what = cron + " in " + zone + ", month " + month + ": " + ticks;
                    assertEquals(first.lengthOfMonth(), ticks.size(), what);
                    assertEquals(
                            first.lengthOfMonth(),
                            new HashSet<>(ticks.stream()
                                            .map(tick -> tick.atZone(place).toLocalDate())
                                            .toList())
                                    .size(),
                            what);
                }
            }
        }
        assertEquals(
                all("2026-03-29T01:00:00Z"),
                ticks("30 2 * * *", "Europe/Berlin", at("2026-03-29T00:00:00Z"), at("2026-03-29T12:00:00Z")),
                "in the gap: when it ends");
        assertEquals(
                all("2026-10-25T00:30:00Z"),
                ticks("30 2 * * *", "Europe/Berlin", at("2026-10-25T00:00:00Z"), at("2026-10-25T12:00:00Z")),
                "twice on the clock: the first");
    }

    /** Case 18: a day that a month doesn't have is skipped, and nothing drifts. */
    @Test
    void monthlyTicksKeepTheirDayOverTwoYears() {
        Instant from = at("2027-01-01T00:00:00Z");
        for (String[] row : new String[][] {{"29", "23"}, {"30", "22"}, {"31", "14"}, {"L", "24"}}) {
            ScheduleRules rules = rules("0 12 " + row[0] + " * *", "UTC", MissedFire.ALL, 1_000);

            List<Instant> ticks = TickPlan.of(rules, Optional.empty(), from, from.plus(Duration.ofDays(731)), MINUTE)
                    .ticks();

            assertEquals(Integer.parseInt(row[1]), ticks.size(), row[0]); // 2028 is a leap year
            for (Instant tick : ticks) {
                LocalDate day = tick.atZone(ZoneId.of("UTC")).toLocalDate();
                assertEquals(row[0].equals("L") ? day.lengthOfMonth() : Integer.parseInt(row[0]), day.getDayOfMonth());
                assertEquals(day.atTime(12, 0).toInstant(ZoneOffset.UTC), tick);
            }
        }
    }

    /** Case 20. */
    @Test
    void theEndOfTimeIsAnEnd() {
        ScheduleRules each = rules("* * * * * *", "UTC", MissedFire.SKIP, 1);
        Instant last = at("9999-12-31T23:59:59Z");

        assertEquals(
                new TickPlan(List.of(last), Optional.empty()),
                TickPlan.of(each, Optional.of(last), MONDAY, last.plusMillis(10), MINUTE));
        assertTrue(
                TickPlan.of(each, Optional.empty(), last, last, MINUTE).next().isEmpty());
        assertEquals(
                List.of(),
                TickPlan.of(each, Optional.of(at("0001-01-01T00:00:00Z")), MONDAY, MONDAY, MINUTE).ticks().stream()
                        .filter(tick -> tick.isBefore(MONDAY))
                        .toList());
    }

    /** A clock that was ahead for a moment, or older rules of time zones. */
    @Test
    void aTickThatIsFartherThanTheNextOneIsSetBack() {
        Instant now = at("2026-12-01T08:00:00Z");
        Optional<Instant> nine = Optional.of(at("2026-12-01T09:00:00Z"));

        assertEquals(
                new TickPlan(List.of(), nine),
                TickPlan.of(daily(MissedFire.ALL), Optional.of(at("2099-01-01T09:00:00Z")), MONDAY, now, MINUTE));
        assertEquals(
                new TickPlan(List.of(), nine),
                TickPlan.of(daily(MissedFire.ALL), nine, MONDAY, now, MINUTE),
                "as it is");
        assertEquals(
                new TickPlan(List.of(), Optional.of(at("2026-12-01T08:30:00Z"))),
                TickPlan.of(daily(MissedFire.ALL), Optional.of(at("2026-12-01T08:30:00Z")), MONDAY, now, MINUTE),
                "one that comes earlier, by the rules as they were, fires");
    }
}
