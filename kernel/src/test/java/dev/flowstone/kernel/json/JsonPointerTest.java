package dev.flowstone.kernel.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 6901, section 5. */
final class JsonPointerTest {
    private static final String TEXT = """
            {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6, " ": 7, "m~n": 8}
            """;

    private static JsonValue document() throws JsonSyntaxException {
        return JsonParser.parse(TEXT.getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "/foo/0;\"bar\"",
                "/foo;[\"bar\",\"baz\"]",
                "/;0",
                "/a~1b;1",
                "/c%d;2",
                "/e^f;3",
                "/g|h;4",
                "/i\\j;5",
                "/k\"l;6",
                "'/ ';7",
                "/m~0n;8"
            },
            delimiter = ';')
    void findsWhatItNamesAndWritesItselfBack(String text, String expected) throws JsonSyntaxException {
        JsonPointer pointer = JsonPointer.parse(text);

        assertEquals(Optional.of(expected), pointer.find(document()).map(CanonicalJson::exactText));
        assertEquals(text, pointer.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/foo/2", "/foo/-", "/foo/00", "/foo/-1", "/foo/99999999999", "/foo/٠", "/x", "/foo/0/x"})
    void findsNothingElse(String text) throws JsonSyntaxException {
        assertEquals(Optional.empty(), JsonPointer.parse(text).find(document()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "/~", "/~2", "/a~", "#/a"})
    void refusesWhatIsNoPointer(String text) {
        assertThrows(IllegalArgumentException.class, () -> JsonPointer.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "~1", "/", "~", "~~//", "a b"})
    void escapesNames(String name) {
        JsonPointer pointer = JsonPointer.ROOT.child(name).child(3);

        assertEquals(pointer, JsonPointer.parse(pointer.toString()));
        assertEquals("/" + JsonPointer.escape(name) + "/3", pointer.toString());
    }
}
