package dev.flowstone.kernel.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form that events have is read by code of its own, which must find in it what the JDK's parser finds. */
final class TimesTest {
    private static final long SEED = 20_261_201;
    private static final int TEXTS = 20_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000-01-01T00:00:00.000000Z",
                "1969-12-31T23:59:59.999999Z",
                "2024-02-29T12:00:00.000001Z",
                "9999-12-31T23:59:59.999999Z"
            })
    void readsWhatItWrote(String text) {
        assertEquals(Instant.parse(text), Times.read(text));
        assertEquals(text, Times.write(Times.read(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-28T24:00:00.000000Z",
                "2016-12-31T23:59:60.000000Z",
                "2026-02-28T00:00:00Z",
                "2026-02-28T00:00:00.12Z",
                "2026-02-28T00:00:00.000+01:00",
                "2026-02-28t00:00:00.000000z",
                "2026-02-28T00:00:00.000000000Z"
            })
    void readsOtherFormsAsTheyAre(String text) {
        assertEquals(Instant.parse(text), Times.read(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-02-29T00:00:00.000000Z",
                "2026-13-01T00:00:00.000000Z",
                "2026-00-01T00:00:00.000000Z",
                "2026-01-01T25:00:00.000000Z",
                "2026-01-01T00:60:00.000000Z",
                "2026-01-01T00:00:61.000000Z",
                "2026-01-01 00:00:00.000000Z",
                "-026-01-01T00:00:00.000000Z",
                "2026-01-01T00:00:00.+00000Z",
                "２026-01-01T00:00:00.000000Z"
            })
    void refusesWhatIsNoInstant(String text) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Times.read(text));

        assertTrue(String.valueOf(refused.getMessage()).endsWith(text), refused::getMessage);
    }

    /** Most are in order; of the others each figure has often a value that it can't have. */
    @Test
    void findsWhatTheJdkFinds() {
        Random random = new Random(SEED);
        int read = 0;
        for (int i = 0; i < TEXTS; i++) {
            String text = "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ"
                    .formatted(
                            random.nextInt(10_000),
                            random.nextInt(14),
                            random.nextInt(33),
                            random.nextInt(26),
                            random.nextInt(62),
                            random.nextInt(62),
                            random.nextInt(1_000_000));
            Optional<Instant> expected = byTheJdk(text);
            if (expected.isPresent()) {
                assertEquals(expected.get(), Times.read(text), text);
                read++;
            } else {
                assertThrows(IllegalArgumentException.class, () -> Times.read(text), text);
            }
        }
        assertTrue(read > TEXTS / 2, "only " + read + " are instants");
    }

    private static Optional<Instant> byTheJdk(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
