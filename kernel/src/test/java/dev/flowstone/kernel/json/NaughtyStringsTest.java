package dev.flowstone.kernel.json;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.flowstone.kernel.id.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The Big List of Naughty Strings (MIT), as values, as member names and as ids. */
final class NaughtyStringsTest {
    @Test
    void comeBackExactlyOrAreRefusedClearly() throws IOException, JsonSyntaxException {
        SuiteTally tally = new SuiteTally("text");
        JsonValue list = JsonParser.parse(Files.readAllBytes(SharedSuites.path("text/naughty-strings.json")));
        for (JsonCursor item : JsonCursor.of(list).items()) {
            String text = item.string();
            JsonValue object = JsonObject.builder().put(text, text).build();
            boolean same = JsonParser.parse(CanonicalJson.exact(object)).equals(object);
            boolean sameStrict = JsonParser.parse(CanonicalJson.strict(object)).equals(object);
            boolean found = JsonPointer.parse(JsonPointer.ROOT.child(text).toString())
                    .find(object)
                    .equals(Optional.of(new JsonString(text)));
            tally.check(item.token(), same && sameStrict && found && isNameOrRefusedClearly(item));
        }
        tally.report();
    }

    private static boolean isNameOrRefusedClearly(JsonCursor item) {
        try {
            return item.as(NodeId::new).value().equals(item.string());
        } catch (JsonShapeException e) {
            assertFalse(e.reason().isBlank());
            assertNotNull(e.getCause());
            return e.reason().startsWith("a node id has");
        }
    }
}
