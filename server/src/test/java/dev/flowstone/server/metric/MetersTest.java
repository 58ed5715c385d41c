package dev.flowstone.server.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is added is what a scrape shows, and no label grows without bound. */
final class MetersTest {
    private final Meters meters = new Meters();

    private List<String> lines(String prefix) {
        return meters.text("")
                .text()
                .lines()
                .filter(line -> line.startsWith(prefix))
                .toList();
    }

    @Test
    void whatComesAfterTheMostLabelsIsCountedTogether() {
        Counts counts = meters.add(new Counts("things_total", "Things.", 3, "name"));

        for (int i = 0; i < 100; i++) {
            counts.add(1, "n" + i);
        }

        assertEquals(
                List.of(
                        "things_total{name=\"n0\"} 1.0",
                        "things_total{name=\"n1\"} 1.0",
                        "things_total{name=\"n2\"} 1.0",
                        "things_total{name=\"other\"} 97.0"),
                lines("things_total").stream().sorted().toList());
    }

    @Test
    void aTallyIsAddedAsIfEachAmountHadBeen() {
        Spread one = meters.add(new Spread("one_seconds", "One by one.", Scale.QUICK, 1));
        Spread all = meters.add(new Spread("all_seconds", "All at once.", Scale.QUICK, 1));
        Spread.Tally tally = new Spread.Tally(Scale.QUICK);

        for (long nanos = 1; nanos < 100_000_000_000L; nanos *= 3) {
            one.cell().add(nanos);
            tally.add(nanos);
        }
        all.cell().add(tally);

        assertEquals(
                lines("one_seconds_").stream().map(line -> line.substring(3)).toList(),
                lines("all_seconds_").stream().map(line -> line.substring(3)).toList());
        assertFalse(lines("one_seconds_bucket").isEmpty());
    }

    @Test
    void bucketsHoldWhatIsAtMostTheirBound() {
        Spread spread = meters.add(new Spread("took_seconds", "Took.", Scale.QUICK, 1));

        spread.add(Duration.ofMillis(1));
        spread.add(Duration.ofMillis(1).plusNanos(1));
        spread.add(Duration.ofHours(1));
        spread.add(Duration.ofSeconds(-3));

        assertTrue(
                lines("took_seconds_bucket").contains("took_seconds_bucket{le=\"0.001\"} 2"),
                lines("took").toString());
        assertTrue(
                lines("took_seconds_bucket").contains("took_seconds_bucket{le=\"0.0025\"} 3"),
                lines("took").toString());
        assertEquals(List.of("took_seconds_count 4"), lines("took_seconds_count"));
    }

    @Test
    void whatNeverHappenedShowsAsZero() {
        meters.add(new Counts("never_total", "Never.", 1));

        assertEquals(List.of("never_total 0.0"), lines("never_total"));
    }

    @Test
    void answersInOpenMetricsWhereThatIsWanted() {
        meters.add(new Counts("things_total", "Things.", 1));

        Meters.Text text = meters.text("application/openmetrics-text; version=1.0.0");

        assertTrue(text.mediaType().startsWith("application/openmetrics-text"), text.mediaType());
        assertTrue(text.text().endsWith("# EOF\n"), text.text());
        assertTrue(meters.text("text/plain").mediaType().startsWith("text/plain"));
    }
}
