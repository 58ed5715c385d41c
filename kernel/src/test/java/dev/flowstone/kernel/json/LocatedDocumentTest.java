package dev.flowstone.kernel.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LocatedDocumentTest {
    private static final String TEXT = """
            {
              "näme": "x", "list": [1,
                [], {"a/b": {"~": true}},
                [[2], 3]],
              "": null
            }
            """;

    private static JsonParser.Located located() throws JsonSyntaxException {
        return JsonParser.parseLocated(TEXT.getBytes(UTF_8), JsonLimits.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 1, 1, 1, 1",
        "/näme, 2, 11, 2, 3",
        "/list, 2, 24, 2, 16",
        "/list/0, 2, 25, 2, 25",
        "/list/1, 3, 5, 3, 5",
        "/list/2, 3, 9, 3, 9",
        "/list/2/a~1b, 3, 17, 3, 10",
        "/list/2/a~1b/~0, 3, 23, 3, 18",
        "/list/3, 4, 5, 4, 5",
        "/list/3/0, 4, 6, 4, 6",
        "/list/3/0/0, 4, 7, 4, 7",
        "/list/3/1, 4, 11, 4, 11",
        "/, 5, 7, 5, 3",
        // What isn't there has the place of the nearest value around it.
        "/list/9, 2, 24, 2, 16",
        "/list/03, 2, 24, 2, 16",
        "/list/2/x/y, 3, 9, 3, 9",
        "/näme/0, 2, 11, 2, 3",
        "/x, 1, 1, 1, 1"
    })
    void remembersWhereValuesAndNamesBegin(String pointer, int line, int column, int nameLine, int nameColumn)
            throws JsonSyntaxException {
        JsonParser.Located located = located();

        assertEquals(new JsonParser.Place(line, column), located.place(pointer));
        assertEquals(new JsonParser.Place(nameLine, nameColumn), located.namePlace(pointer));
    }

    @Test
    void readsTheSameValue() throws JsonSyntaxException {
        assertEquals(JsonParser.parse(TEXT.getBytes(UTF_8)), located().value());
    }

    @Test
    void refusesWhatIsNoPointer() throws JsonSyntaxException {
        JsonParser.Located located = located();

        assertThrows(IllegalArgumentException.class, () -> located.place("list"));
    }

    /** Many faults in one large object, all on one line: a place costs no walk over the document. */
    @Test
    void manyPlacesInALargeObjectAreFoundQuickly() throws JsonSyntaxException {
        int members = 50_000;
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < members; i++) {
            text.append(i == 0 ? "" : ",").append("\"").append(100_000 + i).append("\":\"é\"");
        }
        JsonParser.Located located =
                JsonParser.parseLocated(text.append("}").toString().getBytes(UTF_8), JsonLimits.DEFAULT);

        assertTimeout(Duration.ofSeconds(5), () -> {
            for (int i = 0; i < members; i++) {
                String pointer = "/" + (100_000 + i);
                assertEquals(new JsonParser.Place(1, 11 + 13 * i), located.place(pointer));
                assertEquals(new JsonParser.Place(1, 2 + 13 * i), located.namePlace(pointer));
            }
        });
    }

    @Test
    void placesEveryValueOfALargeDocument() throws JsonSyntaxException {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < 1_000; i++) {
            text.append(i == 0 ? "" : ",").append("\r\n{\"a\":[").append(i).append("]}");
        }
        byte[] bytes = text.append("]").toString().getBytes(UTF_8);

        JsonParser.Located located = JsonParser.parseLocated(bytes, JsonLimits.DEFAULT);

        for (int i = 0; i < 1_000; i += 37) {
            assertEquals(new JsonParser.Place(i + 2, 7), located.place("/" + i + "/a/0"));
        }
    }
}
