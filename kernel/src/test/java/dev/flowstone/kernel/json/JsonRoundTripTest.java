package dev.flowstone.kernel.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Properties over seeded random values. {@code -Dflowstone.seed=…} replays one. */
final class JsonRoundTripTest {
    private static final int CASES = 3_000;

    /** One property of one random case. */
    private interface Property {
        void holds(RandomJson json, SplittableRandom random) throws JsonSyntaxException;
    }

    @Test
    void whatIsWrittenReadsBackEqualAndWritesTheSameBytes() {
        forAll((json, random) -> {
            JsonValue value = json.value(5);
            byte[] written = CanonicalJson.exact(value);

            JsonValue read = JsonParser.parse(written, JsonLimits.STORED);

            assertEquals(value, read);
            assertEquals(value.hashCode(), read.hashCode());
            assertArrayEquals(written, CanonicalJson.exact(read));
            assertEquals(written.length, CanonicalJson.exactLength(value));
        });
    }

    @Test
    void everySpellingOfAValueHasTheSameBytes() {
        forAll((json, random) -> {
            JsonValue value = json.value(4);
            String spelling = json.spelling(value);

            JsonValue read = JsonParser.parse(spelling.getBytes(UTF_8), JsonLimits.STORED);

            assertEquals(CanonicalJson.exactText(value), CanonicalJson.exactText(read), spelling);
        });
    }

    @Test
    void strictAgreesWithExactOnTheShortestDecimalsOfDoubles() {
        forAll((json, random) -> {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                JsonNumber number = JsonNumber.of(value);
                assertArrayEquals(CanonicalJson.strict(number), CanonicalJson.exact(number));
                assertEquals(value + 0.0, Double.parseDouble(CanonicalJson.exactText(number)));
            }
        });
    }

    @Test
    void unequalNumbersHaveUnequalBytes() {
        forAll((json, random) -> {
            JsonNumber one = json.number();
            JsonNumber other = json.number();
            boolean same = one.decimalValue().compareTo(other.decimalValue()) == 0;

            assertEquals(same, one.equals(other));
            assertEquals(same, CanonicalJson.exactText(one).equals(CanonicalJson.exactText(other)));
            assertEquals(
                    Integer.signum(one.decimalValue().compareTo(other.decimalValue())),
                    Integer.signum(one.compareTo(other)));
        });
    }

    @Test
    void damagedTextIsReadOrRefusedWithAPlaceAndNothingElse() {
        forAll((json, random) -> {
            byte[] text = json.spelling(json.value(4)).getBytes(UTF_8);
            for (int i = 1 + random.nextInt(3); i > 0 && text.length > 0; i--) {
                text[random.nextInt(text.length)] = (byte) random.nextInt(256);
            }
            try {
                JsonValue read = JsonParser.parse(text);
                assertEquals(read, JsonParser.parse(CanonicalJson.exact(read)));
            } catch (JsonSyntaxException e) {
                assertNotEquals("", e.getMessage());
                assertEquals(JsonInput.place(text, e.offset()), new JsonParser.Place(e.line(), e.column()));
            }
        });
    }

    private static void forAll(Property property) {
        String replay = System.getProperty("flowstone.seed", "");
        long first = replay.isEmpty() ? 20_251_127 : Long.parseLong(replay);
        int cases = replay.isEmpty() ? CASES : 1;
        for (long seed = first; seed < first + cases; seed++) {
            try {
                SplittableRandom random = new SplittableRandom(seed);
                property.holds(new RandomJson(random), random);
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
