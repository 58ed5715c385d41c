package dev.flowstone.kernel.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.NodeId;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class JsonCursorTest {
    private static final String TEXT = """
            {"node": "fetch", "attempt": 3, "big": 3000000000, "half": 0.5, "on": true, "none": null,
             "tags": ["a", "b"], "in/out": {"x": [1, "two"]}}
            """;

    private static JsonCursor cursor() throws JsonSyntaxException {
        return JsonCursor.of(JsonParser.parse(TEXT.getBytes(UTF_8)));
    }

    private static void assertFault(String pointer, String reason, Consumer<JsonCursor> reader)
            throws JsonSyntaxException {
        JsonCursor cursor = cursor();
        JsonShapeException fault = assertThrows(JsonShapeException.class, () -> reader.accept(cursor));
        assertEquals(pointer + " | " + reason, fault.pointer() + " | " + fault.reason());
    }

    @Test
    void readsTypedMembers() throws JsonSyntaxException {
        JsonCursor cursor = cursor();

        assertEquals("fetch", cursor.string("node"));
        assertEquals(new NodeId("fetch"), cursor.as("node", NodeId::new));
        assertEquals(3, cursor.intValue("attempt"));
        assertEquals(3_000_000_000L, cursor.longValue("big"));
        assertTrue(cursor.bool("on"));
        assertEquals(List.of("a", "b"), cursor.list("tags", JsonCursor::string));
        assertEquals(8, cursor.members().size());
        assertEquals("node", cursor.members().getFirst().token());
    }

    @Test
    void tellsAbsentFromNull() throws JsonSyntaxException {
        assertTrue(cursor().find("absent").isEmpty());
        assertSame(JsonNull.NULL, cursor().find("none").orElseThrow().value());
    }

    @Test
    void namesTheValueThatIsWrong() throws JsonSyntaxException {
        assertFault("", "the member \"absent\" is missing", c -> c.string("absent"));
        assertFault("/attempt", "expected a string, found the number 3", c -> c.string("attempt"));
        assertFault(
                "/node",
                "expected an integer of at most 64 bits, found the string \"fetch\"",
                c -> c.longValue("node"));
        assertFault("/half", "expected an integer of at most 64 bits, found the number 0.5", c -> c.longValue("half"));
        assertFault(
                "/big", "expected an integer of at most 32 bits, found the number 3000000000", c -> c.intValue("big"));
        assertFault("/none", "expected true or false, found null", c -> c.bool("none"));
        assertFault(
                "/tags",
                "expected an object, found an array",
                c -> c.member("tags").string("x"));
        assertFault("/on", "expected an array, found true", c -> c.list("on", JsonCursor::string));
        assertFault(
                "/in~1out/x/1",
                "expected an integer of at most 64 bits, found the string \"two\"",
                c -> c.member("in/out").list("x", JsonCursor::intValue));
        assertFault("/in~1out", "expected a string, found an object", c -> c.string("in/out"));
    }

    @Test
    void givesRefusalsOfParsersAPlace() throws JsonSyntaxException {
        assertFault(
                "/tags/0",
                "no",
                c -> c.list(
                        "tags",
                        tag -> tag.as(text -> {
                            throw new IllegalArgumentException("no");
                        })));
    }

    @Test
    void refusesUnknownMembers() throws JsonSyntaxException {
        assertFault(
                "/in~1out/x",
                "no such member is known here",
                c -> c.member("in/out").only(Set.of("y")));
        cursor().member("in/out").only(Set.of("x", "y"));
    }

    @Test
    void saysTheDocumentWhenThePointerIsEmpty() {
        JsonShapeException fault = assertThrows(
                JsonShapeException.class, () -> JsonCursor.of(JsonNull.NULL).string());

        assertEquals("the document: expected a string, found null", fault.getMessage());
    }
}
