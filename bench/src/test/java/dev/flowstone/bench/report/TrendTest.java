package dev.flowstone.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonCursor;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TrendTest {
    @Test
    void whatRisesByATenthOfItsMeanOrLessIsFlat() {
        assertTrue(trend(n -> 100 + n * 0.9).flat());
        assertFalse(trend(n -> 100 + n * 1.2).flat());
    }

    @Test
    void tellsWhereTheLineBeginsAndEnds() {
        Trend trend = trend(n -> 50 + 10 * n);

        assertEquals(50, trend.from(), 1e-9);
        assertEquals(150, trend.to(), 1e-9);
        assertEquals(1, trend.change(), 1e-9);
        assertEquals("grows", JsonCursor.of(trend.toJson()).string("verdict"));
    }

    @Test
    void whatSwingsWithoutGoingAnywhereIsFlat() {
        assertTrue(trend(n -> n % 2 == 0 ? 10 : 20).flat());
        assertEquals("falls", JsonCursor.of(trend(n -> 100 - 5 * n).toJson()).string("verdict"));
    }

    @Test
    void nothingIsFlat() {
        assertTrue(Trend.of("nothing", List.of()).flat());
        assertTrue(trend(n -> 0).flat());
    }

    private static Trend trend(IntToDoubleFunction value) {
        return Trend.of(
                "it",
                IntStream.rangeClosed(0, 10)
                        .mapToObj(n -> new Plot.Point(n * 10, value.applyAsDouble(n)))
                        .toList());
    }
}
