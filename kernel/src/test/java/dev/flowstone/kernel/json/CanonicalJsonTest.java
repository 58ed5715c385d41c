package dev.flowstone.kernel.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of docs/canonical-json.md, and the edges of each rule. */
final class CanonicalJsonTest {
    @ParameterizedTest
    @CsvSource({
        "7615917337495251231, 7615917337495251231, 7615917337495251000",
        "0.1000000000000000055, 0.1000000000000000055, 0.1",
        "-0, 0, 0",
        "-0.0e-5, 0, 0",
        "1.0, 1, 1",
        "10e-1, 1, 1",
        "0.00001e5, 1, 1",
        "1.50, 1.5, 1.5",
        "-12.34, -12.34, -12.34",
        "0.000001, 0.000001, 0.000001",
        "0.0000001, 1e-7, 1e-7",
        "-0.00000012, -1.2e-7, -1.2e-7",
        "100000000000000000000, 100000000000000000000, 100000000000000000000",
        "123456789012345678901, 123456789012345678901, 123456789012345680000",
        "1000000000000000000000, 1e+21, 1e+21",
        "1234567890123456789012, 1.234567890123456789012e+21, 1.2345678901234568e+21",
        "123456789012345678901.5, 123456789012345678901.5, 123456789012345680000",
        "9223372036854775807, 9223372036854775807, 9223372036854776000",
        "-9223372036854775808, -9223372036854775808, -9223372036854776000",
        "9223372036854775808, 9223372036854775808, 9223372036854776000",
        "9007199254740993, 9007199254740993, 9007199254740992",
        "5e-324, 5e-324, 5e-324",
        "4.9e-324, 4.9e-324, 5e-324",
        "1e-400, 1e-400, 0"
    })
    void writesNumbers(String text, String exact, String strict) throws JsonSyntaxException {
        JsonValue number = JsonParser.parse(text.getBytes(UTF_8));

        assertEquals(exact, CanonicalJson.exactText(number));
        assertEquals(exact.length(), CanonicalJson.exactLength(number));
        assertEquals(strict, new String(CanonicalJson.strict(number), UTF_8));
    }

    @Test
    void refusesNumbersBeyondTheDoublesInTheStrictForm() {
        JsonNumber number = JsonNumber.of(new BigDecimal("-1e400"));

        NumberOutOfRangeException refusal =
                assertThrows(NumberOutOfRangeException.class, () -> CanonicalJson.strict(JsonArray.of(number)));

        assertEquals("RFC 8785 can't write -1e+400, which is no double; the exact form can", refusal.getMessage());
        assertEquals("-1e+400", CanonicalJson.exactText(number));
    }

    @Test
    void escapesOnlyWhatItMust() {
        assertEquals(
                "\"\\u0000\\u0001\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u001f !\\\"#/[\\\\]~\u007f\u0080é߿ࠀ€\uffff😂\"",
                CanonicalJson.exactText(new JsonString(
                        "\0\u0001\u0007\b\t\n\u000b\f\r\u000e\u001f !\"#/[\\]~\u007f\u0080é߿ࠀ€\uffff😂")));
    }

    @Test
    void measuresEveryCharacterAsItIsWritten() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                JsonString text = new JsonString(Character.toString(c));
                assertEquals(CanonicalJson.exact(text).length, CanonicalJson.exactLength(text));
            }
        }
    }

    @Test
    void sortsNamesByUtf16CodeUnitsAtEveryDepth() {
        JsonObject inner = JsonObject.builder().put("b", 1).put("a", 2).build();
        // In code points U+FB33 precedes U+1F602; in UTF-16 code units the surrogate D83D comes first.
        JsonObject object = JsonObject.builder()
                .put("\ufb33", inner)
                .put("😂", true)
                .put("aa", "x")
                .put("a", 1)
                .put("", JsonArray.of(inner))
                .build();

        assertEquals(
                "{\"\":[{\"a\":2,\"b\":1}],\"a\":1,\"aa\":\"x\",\"😂\":true,\"\ufb33\":{\"a\":2,\"b\":1}}",
                CanonicalJson.exactText(object));
    }

    @Test
    void writesEmptyContainersAndScalars() {
        JsonArray all = JsonArray.of(
                JsonArray.EMPTY,
                JsonObject.EMPTY,
                JsonArray.of(JsonArray.EMPTY),
                JsonNull.NULL,
                JsonBoolean.TRUE,
                JsonBoolean.FALSE,
                new JsonString(""),
                new JsonString("[{"));

        assertEquals("[[],{},[[]],null,true,false,\"\",\"[{\"]", CanonicalJson.exactText(all));
    }

    @Test
    void growsForLongStrings() throws JsonSyntaxException {
        JsonString text = new JsonString("a".repeat(700) + "€\n\u0001😂".repeat(3_000));

        assertEquals(text, JsonParser.parse(CanonicalJson.exact(text)));
    }

    @Test
    void refusesLoneSurrogatesWhereverTheyComeFrom() {
        Map<String, JsonValue> members = new LinkedHashMap<>(Map.of("a\ud800", JsonNull.NULL));

        assertThrows(IllegalArgumentException.class, () -> new JsonString("\ud800"));
        assertThrows(IllegalArgumentException.class, () -> new JsonString("\udc00\ud800"));
        assertThrows(IllegalArgumentException.class, () -> JsonObject.of(members));
        assertThrows(IllegalArgumentException.class, () -> JsonObject.builder().put("\udc00", 1));
        JsonObject unchecked = JsonObject.view(members);
        assertThrows(IllegalArgumentException.class, () -> CanonicalJson.exact(unchecked));
    }
}
