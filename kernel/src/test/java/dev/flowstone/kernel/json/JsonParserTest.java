package dev.flowstone.kernel.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonParserTest {
    private static JsonValue parse(String text) throws JsonSyntaxException {
        return JsonParser.parse(text.getBytes(UTF_8));
    }

    private static JsonSyntaxException fault(String text) {
        return assertThrows(JsonSyntaxException.class, () -> parse(text));
    }

    private static JsonSyntaxException faultOfBytes(String hex) {
        return assertThrows(
                JsonSyntaxException.class, () -> JsonParser.parse(HexFormat.of().parseHex(hex)));
    }

    @Test
    void readsEveryKindOfValue() throws JsonSyntaxException {
        JsonValue expected = JsonObject.of(Map.of(
                "text",
                new JsonString("a\n\u00e9😂"),
                "list",
                JsonArray.of(JsonNumber.of(1), JsonNumber.of(-2.5), JsonBoolean.TRUE, JsonBoolean.FALSE),
                "none",
                JsonNull.NULL,
                "empty",
                JsonArray.of(JsonObject.EMPTY, JsonArray.EMPTY)));

        assertEquals(expected, parse("""
                        { "text": "a\\n\\u00E9\\ud83d\\ude02", "list": [1, -25e-1, true, false],
                          "none": null, "empty": [{ }, [ ]] }
                        """));
    }

    @Test
    void keepsTheOrderOfMembers() throws JsonSyntaxException {
        JsonObject object = (JsonObject) parse("{\"z\":1,\"a\":2,\"m\":3}");

        assertEquals("[z, a, m]", object.members().keySet().toString());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `` | 1 | 1 | 0 | expected a value, found the end of the text
            [1,] | 1 | 4 | 3 | found ']' after ',': JSON has no trailing comma
            {"a":1,} | 1 | 8 | 7 | found '}' after ',': JSON has no trailing comma
            [1 2] | 1 | 4 | 3 | expected ',' or ']' after an array's item, found '2'
            {"a":1 "b":2} | 1 | 8 | 7 | expected ',' or '}' after a member's value, found '"'
            {a:1} | 1 | 2 | 1 | expected a member name in double quotes, found 'a'
            {"a" 1} | 1 | 6 | 5 | expected ':' after the member name "a", found '1'
            {"é":1,"b":2,"é":3} | 1 | 14 | 14 | the member name "é" stands twice in one object
            {"a":1,"\\u0061":3} | 1 | 8 | 7 | the member name "a" stands twice in one object
            [1] x | 1 | 5 | 4 | expected the end of the text after the value, found 'x'
            'a' | 1 | 1 | 0 | expected a value, found ''': strings are in double quotes
            // a | 1 | 1 | 0 | expected a value, found '/': JSON has no comments
            [+1] | 1 | 2 | 1 | expected a value, found '+': a number has no '+' sign
            [.5] | 1 | 2 | 1 | expected a value, found '.': a number has a digit before the '.'
            [,1] | 1 | 2 | 1 | expected a value, found ',': a value is missing before it
            [-] | 1 | 3 | 2 | expected a digit after '-', found ']'
            [-01] | 1 | 3 | 2 | a number has no leading zeros
            [00.5] | 1 | 2 | 1 | a number has no leading zeros
            [1.e1] | 1 | 4 | 3 | expected a digit after the '.', found 'e'
            [1e+] | 1 | 5 | 4 | expected a digit in the exponent, found ']'
            ["a | 1 | 4 | 3 | expected the closing '"' of a string, found the end of the text
            ["\\u12g4"] | 1 | 7 | 6 | '\\u' needs four hexadecimal digits, found 'g'
            ["\\x"] | 1 | 3 | 2 | after '\\' comes one of " \\ / b f n r t u, found 'x'
            [😂] | 1 | 2 | 1 | expected a value, found '😂'
            """)
    void tellsWhatWasFoundAndWhere(String text, int line, int column, int offset, String message) {
        JsonSyntaxException fault = fault(text);

        assertEquals(message, fault.reason());
        assertEquals("line " + line + ", column " + column + ": " + message, fault.getMessage());
        assertEquals(
                line + ":" + column + " at " + offset, fault.line() + ":" + fault.column() + " at " + fault.offset());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nul", "True", "NaN", "Infinity", "undefined", "tru", "falsy", "-Infinity", "nulL"})
    void refusesOtherWords(String word) {
        fault(word);
    }

    @Test
    void countsLinesHoweverTheyEnd() {
        JsonSyntaxException fault = fault("{\n\"a\":\r\n\r[\"é\", x]}");

        assertEquals("4:7", fault.line() + ":" + fault.column());
    }

    @Test
    void cutsLongNamesInMessagesBetweenCharacters() {
        String name = "x".repeat(59) + "😂😂";

        JsonSyntaxException fault = fault("{\"" + name + "\":1,\"" + name + "\":2}");

        assertEquals("the member name \"" + "x".repeat(59) + "…\" stands twice in one object", fault.reason());
        assertEquals(fault.reason(), new JsonString(fault.reason()).value());
    }

    @Test
    void refusesRawControlCharactersAndShowsTheEscape() {
        JsonSyntaxException fault = fault("[\"a\tb\"]");

        assertEquals("a string holds control characters only as escapes: write U+0009 as \\u0009", fault.reason());
        assertEquals(3, fault.offset());
        fault("\"\u0000\"");
        fault("\"\u001f\"");
    }

    @Test
    void keepsNulAndOtherEscapedControlCharacters() throws JsonSyntaxException {
        assertEquals(new JsonString("\u0000\u001f\u007f"), parse("\"\\u0000\\u001f\u007f\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\\ud800\"",
                "\"\\udc00\"",
                "\"\\ud800\\ud800\"",
                "\"\\ud800x\\udc00\"",
                "\"\\ud800\\n\"",
                "{\"\\ud800\":1}",
                "\"\\ud83d\\\"",
                "\"\\ud83d\\u\""
            })
    void refusesLoneSurrogates(String text) {
        fault(text);
    }

    /** Bytes between quotes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "bf",
                "c0af",
                "c1bf",
                "c3",
                "e080af",
                "e09fbf",
                "e282",
                "eda080",
                "edbfbf",
                "f08fbfbf",
                "f4908080",
                "f5808080",
                "f09f98",
                "fe",
                "ff",
                "c328",
                "e28228",
                "f0288cbc"
            })
    void refusesMalformedUtf8(String hex) {
        assertEquals(1, faultOfBytes("22" + hex + "22").offset());
        assertEquals(1, faultOfBytes("22" + hex).offset());
    }

    @ParameterizedTest
    @ValueSource(strings = {"c280", "dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbf", "f0908080", "f48fbfbf"})
    void acceptsTheEdgesOfUtf8(String hex) throws JsonSyntaxException {
        byte[] bytes = HexFormat.of().parseHex(hex);

        JsonValue value = JsonParser.parse(HexFormat.of().parseHex("22" + hex + "22"));

        assertEquals(new JsonString(new String(bytes, UTF_8)), value);
    }

    @Test
    void refusesOtherEncodingsByName() {
        assertTrue(faultOfBytes("efbbbf7b7d").reason().contains("byte order mark"));
        assertTrue(faultOfBytes("fffe7b007d00").reason().contains("UTF-16"));
        assertTrue(faultOfBytes("7b007d00").reason().contains("UTF-16"));
        assertTrue(faultOfBytes("007b007d").reason().contains("UTF-16"));
    }

    @Test
    void refusesBeyondTheLimits() throws JsonSyntaxException {
        JsonLimits tight = new JsonLimits(10, 2, 3);

        assertEquals(
                JsonArray.of(JsonArray.of(JsonNumber.of(123))), JsonParser.parse("[[123]]".getBytes(UTF_8), tight));
        for (String text : new String[] {"[1,2,3,4,5]", "[[[]]]", "1234", "1e4", "0.0001", "0.1234"}) {
            assertThrows(JsonSyntaxException.class, () -> JsonParser.parse(text.getBytes(UTF_8), tight), text);
        }
    }

    @Test
    void judgesANumberByItsValueNotItsSpelling() throws JsonSyntaxException {
        String zeros = "0".repeat(5_000);
        JsonLimits three = new JsonLimits(100_000, 9, 3);

        for (String text : new String[] {
            "1." + zeros, "0." + zeros + "e99999999999999999999", "1" + zeros + "e-5000", "0." + zeros + "12e5001", "1"
        }) {
            assertTrue(JsonParser.parse(text.getBytes(UTF_8), three) instanceof JsonNumber, text);
        }
    }

    @Test
    void neverExpandsAnExponent() {
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            for (String exponent : new String[] {"999999999", "-999999999", "99999999999999999999", "-2147483648"}) {
                JsonSyntaxException fault = fault("[1e" + exponent + "]");
                assertEquals("a number's exponent is at most 1000 here, in either direction", fault.reason());
                assertEquals(1, fault.offset());
            }
            fault("9".repeat(2_000_000));
        });
    }

    @Test
    void nestsWithoutEndWhereNoLimitIsSet() throws JsonSyntaxException {
        byte[] deep = new byte[2_000_000];
        Arrays.fill(deep, 0, 1_000_000, (byte) '[');
        Arrays.fill(deep, 1_000_000, 2_000_000, (byte) ']');

        JsonValue value = JsonParser.parse(deep, JsonLimits.STORED);

        assertTrue(Arrays.equals(deep, CanonicalJson.exact(value)));
        assertThrows(JsonSyntaxException.class, () -> JsonParser.parse(deep));
    }
}
