package dev.flowstone.dialect.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The reference of definitions is what the schema says, and shows each property in use. {@code mvn -pl dialects/dag -am test
 * -Dtest=ReferencePageTest -Dflowstone.golden=write} writes its tables anew.
 */
final class ReferencePageTest {
    private static final Path PAGE = Dags.ROOT.resolve("docs/dag-reference.md");
    private static final boolean WRITE = "write".equals(System.getProperty("flowstone.golden"));

    /** One without a note before it. */
    private static final Pattern EXAMPLE = Pattern.compile("(?<!-->\n)```json\n(.*?)```", Pattern.DOTALL);

    @Test
    void saysWhatTheSchemaSays() throws IOException {
        String page = Files.readString(PAGE);
        String written = ReferencePage.written(page);
        if (WRITE) {
            Files.writeString(PAGE, written);
        } else {
            assertEquals(written, page, "docs/schema/dag-1.json says otherwise: see this test's comment");
        }
        assertEquals(DagSchema.kinds(), ReferencePage.kinds(page), "a table for each kind of object");
    }

    @Test
    void theDialectHasTheSchemaThatIsPublished() throws IOException {
        assertEquals(Files.readString(Dags.ROOT.resolve("docs/schema/dag-1.json")), DagDialect.schemaText());
    }

    @Test
    void showsEachPropertyInUse() throws IOException {
        Set<String> shown = new HashSet<>();
        EXAMPLE.matcher(Files.readString(PAGE)).results().forEach(block -> {
            JsonObject example = (JsonObject) DagSchema.json(block.group(1));
            collect(example.get("startNode") == null ? "node" : "workflow", example, shown);
        });
        List<String> missing = DagSchema.properties().stream()
                .map(DagSchema.Property::toString)
                .filter(it -> !shown.contains(it))
                .toList();

        assertEquals(List.of(), missing, "properties that no example of docs/dag-reference.md has");
    }

    private static void collect(String kind, JsonObject object, Set<String> shown) {
        for (DagSchema.Property property : DagSchema.properties(kind)) {
            JsonValue value = object.get(property.name());
            if (value == null) {
                continue;
            }
            shown.add(property.toString());
            property.refersTo().ifPresent(inner -> {
                List<JsonValue> values = value instanceof JsonArray(List<JsonValue> items) ? items : List.of(value);
                values.forEach(it -> collect(inner, (JsonObject) it, shown));
            });
        }
    }
}
