package dev.flowstone.testkit.scenario.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DiffTest {
    private static JsonValue json(String text) throws JsonSyntaxException {
        return JsonParser.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void differencesAreNamedByPointer() throws Exception {
        assertEquals(
                List.of(
                        "/a/0  expected 1, was 2",
                        "/a/1  expected 3, is missing",
                        "/b~1c  expected {\"x\":1}, is missing",
                        "/d  not expected, was null"),
                JsonDiff.exact(json("{'a': [1, 3], 'b/c': {'x': 1}}"), json("{'a': [2], 'd': null}")));
    }

    @Test
    void aSubsetMayHaveMoreMembersButNoMoreItems() throws Exception {
        assertEquals(List.of(), JsonDiff.subset(json("{'a': {'b': 1.0}}"), json("{'a': {'b': 1, 'c': 2}, 'd': 3}")));
        assertEquals(
                List.of("/1  not expected, was 2"), JsonDiff.subset(json("[{'a': 1}]"), json("[{'a': 1, 'b': 2}, 2]")));
    }

    @Test
    void aValueOfAnotherTypeIsOneDifference() throws Exception {
        assertEquals(List.of("expected {\"a\":1}, was [1]"), JsonDiff.exact(json("{'a': 1}"), json("[1]")));
    }

    @Test
    void longDifferencesAreCut() throws Exception {
        String items = String.join(",", Collections.nCopies(100, "1"));
        List<String> lines = JsonDiff.exact(json("[]"), json("[" + items + "]"));

        assertEquals(31, lines.size());
        assertEquals("and 70 more differences", lines.getLast());
    }

    @Test
    void listsStandSideBySide() {
        assertEquals(
                List.of(
                        "  expected  actual",
                        "  a         a",
                        "- b",
                        "+           x",
                        "  c         c",
                        "+           d"),
                SideBySide.of(List.of("a", "b", "c"), List.of("a", "x", "c", "d")));
    }

    @Test
    void listsTooLongToBeAlignedAreStillTold() {
        List<String> many = Collections.nCopies(2_000, "a");

        assertEquals(2_002, SideBySide.of(many, Collections.nCopies(2_001, "a")).size());
    }
}
