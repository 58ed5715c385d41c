package dev.flowstone.expression.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.schedule.Due;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random schedules against an oracle that looks at every minute. Each due time is strictly after the one before it, each one
 * shows what its fields ask for or was moved out of a gap, and none is left out.
 */
final class OracleTest {
    private static final int SCHEDULES = 60;
    private static final int DAYS = 3;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "America/New_York",
                "Europe/Berlin",
                "Australia/Lord_Howe",
                "Asia/Amman",
                "America/Santiago",
                "Africa/Casablanca",
                "Antarctica/Troll",
                "Pacific/Apia"
            })
    void findsWhatLookingAtEveryMinuteFinds(String zone) {
        ZoneRules rules = ZoneId.of(zone).getRules();
        Random random = new Random(zone.hashCode());
        ZoneOffsetTransition change = rules.nextTransition(Instant.parse("2011-01-01T00:00:00Z"));
        for (int i = 0; i < SCHEDULES && change != null; i++) {
            Fields fields = Fields.random(random);
            Instant from = change.getInstant()
                    .truncatedTo(ChronoUnit.MINUTES)
                    .minus(random.nextInt(DAYS * 1_440), ChronoUnit.MINUTES);

            assertEquals(fields.dues(rules, from), found(fields, zone, from), () -> zone + " " + fields + " " + from);
            ZoneOffsetTransition next = rules.nextTransition(change.getInstant());
            change = next == null ? rules.nextTransition(Instant.parse("2009-01-01T00:00:00Z")) : next;
        }
    }

    private static List<Instant> found(Fields fields, String zone, Instant from) {
        CronSchedule schedule = Crons.cron(fields.text());
        List<Instant> found = new ArrayList<>();
        Optional<Instant> due = Optional.of(from);
        while (true) {
            due = schedule.next(ZoneId.of(zone), due.get(), false).map(Due::at);
            if (due.isEmpty() || due.get().isAfter(from.plus(2 * DAYS, ChronoUnit.DAYS))) {
                return found;
            }
            found.add(due.get());
        }
    }

    /** Five fields as sets of values, written in one of several ways. */
    private record Fields(
            Field minutes, Field hours, Set<Integer> daysOfMonth, Set<Integer> daysOfWeek, boolean isInterval) {
        static Fields random(Random random) {
            Field minutes = Field.random(random, 59);
            Field hours = Field.random(random, 23);
            return new Fields(
                    minutes,
                    hours,
                    some(random, 1, 31, 28),
                    some(random, 0, 6, 6),
                    minutes.isInterval() || hours.isInterval());
        }

        String text() {
            return minutes.text() + " " + hours.text() + " " + commas(daysOfMonth) + " * " + commas(daysOfWeek);
        }

        List<Instant> dues(ZoneRules rules, Instant from) {
            List<Instant> dues = new ArrayList<>();
            for (int minute = 1; minute <= 2 * DAYS * 1_440; minute++) {
                Instant at = from.plus(minute, ChronoUnit.MINUTES);
                if (isDue(rules, at)) {
                    dues.add(at);
                }
            }
            return dues;
        }

        private boolean isDue(ZoneRules rules, Instant at) {
            LocalDateTime wall = LocalDateTime.ofInstant(at, rules.getOffset(at));
            boolean second = rules.getValidOffsets(wall).size() == 2
                    && rules.getOffset(at).equals(rules.getValidOffsets(wall).getLast());
            if (shows(wall) && (isInterval || !second)) {
                return true;
            }
            LocalDateTime before = LocalDateTime.ofInstant(at.minusSeconds(1), rules.getOffset(at.minusSeconds(1)))
                    .plusSeconds(1);
            return Stepping.minutes(before, wall).anyMatch(this::shows);
        }

        private boolean shows(LocalDateTime wall) {
            LocalDate day = wall.toLocalDate();
            return minutes.values().contains(wall.getMinute())
                    && hours.values().contains(wall.getHour())
                    && daysOfMonth.contains(day.getDayOfMonth())
                    && daysOfWeek.contains(day.getDayOfWeek().getValue() % 7);
        }
    }

    private record Field(String text, Set<Integer> values, boolean isInterval) {
        static Field random(Random random, int last) {
            int a = random.nextInt(last + 1);
            int b = random.nextInt(last + 1);
            int step = 1 + random.nextInt(last);
            return switch (random.nextInt(5)) {
                case 0 -> new Field("*", every(0, last, 1), true);
                case 1 -> new Field("*/" + step, every(0, last, step), true);
                case 2 -> new Field(a + "/" + step, every(a, last, step), true);
                case 3 ->
                    new Field(Math.min(a, b) + "-" + Math.max(a, b), every(Math.min(a, b), Math.max(a, b), 1), true);
                default -> {
                    Set<Integer> values = some(random, 0, last, 4);
                    yield new Field(commas(values), values, false);
                }
            };
        }
    }

    private static Set<Integer> every(int from, int to, int step) {
        return new TreeSet<>(IntStream.rangeClosed(from, to)
                .filter(n -> (n - from) % step == 0)
                .boxed()
                .toList());
    }

    private static Set<Integer> some(Random random, int first, int last, int count) {
        Set<Integer> values = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            values.add(first + random.nextInt(last - first + 1));
        }
        return values;
    }

    private static String commas(Set<Integer> values) {
        return String.join(",", values.stream().map(String::valueOf).toList());
    }

    private static final class Stepping {
        /** Those from the first to before the last; none if the last is not later. */
        static Stream<LocalDateTime> minutes(LocalDateTime from, LocalDateTime to) {
            return Stream.iterate(from, wall -> wall.isBefore(to), wall -> wall.plusMinutes(1));
        }
    }
}
