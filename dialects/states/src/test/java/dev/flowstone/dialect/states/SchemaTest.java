package dev.flowstone.dialect.states;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published schema says what the reader does. */
final class SchemaTest {
    private static final Path PUBLISHED = Sources.ROOT.resolve("docs/schema/states-1.json");

    static List<Path> examples() throws IOException {
        return Sources.examples();
    }

    /** Sources that either only the schema or only the reader could let through, if they disagreed. */
    static Stream<String> wrong() {
        return FaultTableTest.rows().stream()
                .filter(row -> List.of(
                                "UNKNOWN_PROPERTY",
                                "MISSING_PROPERTY",
                                "ONE_OF",
                                "WRONG_TYPE",
                                "NOT_ALLOWED",
                                "TOO_MANY",
                                "BAD_NAME",
                                "BAD_TEXT")
                        .contains(row.fault().name()))
                .map(FaultTableTest.Row::source);
    }

    @Test
    void isPublishedInTheDocumentsAndInTheJar() throws Exception {
        JsonObject written = StatesDialect.schema();

        assertEquals(
                written,
                JsonParser.parse(Files.readAllBytes(PUBLISHED)),
                "both copies hold what StatesDialect.schema() gives");
        try (InputStream jar = StatesDialect.class.getResourceAsStream("states-1.json")) {
            assertTrue(jar != null);
            assertEquals(written, JsonParser.parse(jar.readAllBytes()));
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleSatisfiesItAndCompilesWithoutAWord(Path example) throws IOException {
        String source = Files.readString(example);

        assertEquals(List.of(), errors(source));
        StatesCompilation compilation =
                Sources.DIALECT.compile(Files.readAllBytes(example), StatesOptions.DEFAULT, Sources.ACTIONS);
        assertEquals(List.of(), compilation.faults());
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void refusesWhatTheReaderRefuses(String source) {
        assertFalse(errors(Sources.json(source)).isEmpty());
    }

    /**
     * Each property of each kind, with a value that hardly any takes: known to both or to neither. A reader that knows a
     * property refuses its value, or nothing; one that doesn't refuses its name.
     */
    @Test
    void readerAndSchemaKnowTheSameProperties() {
        Map<String, Set<String>> places = Map.of(
                "workflow", Set.of(""),
                "state", Set.of("/states/a"),
                "transition", Set.of("/states/a/transitions/0"),
                "human", Set.of("/states/a/human"));
        for (String property : properties()) {
            String source = "{'" + property + "':[],'states':{'a':{'" + property + "':[],'transitions':[{'" + property
                    + "':[]}],'human':{'" + property + "':[]}}}}";
            Set<String> unknown = Sources.compile(source).faults().stream()
                    .filter(it -> it.code() == StatesFault.UNKNOWN_PROPERTY)
                    .map(it -> it.pointer().substring(0, it.pointer().lastIndexOf('/')))
                    .collect(Collectors.toSet());
            places.forEach((kind, at) -> {
                boolean twice = Sources.compile(source).faults().getFirst().code() == StatesFault.JSON_SYNTAX;
                boolean known = at.stream().noneMatch(unknown::contains);
                assertTrue(twice || known == knows(kind, property), kind + "." + property);
            });
        }
    }

    private static boolean knows(String kind, String property) {
        JsonObject kinds = object(StatesDialect.schema(), "definitions");
        return kinds.get(kind) instanceof JsonObject schema
                && schema.get("properties") instanceof JsonObject properties
                && properties.get(property) != null;
    }

    private static List<String> properties() {
        List<String> properties = new ArrayList<>();
        JsonObject kinds = object(StatesDialect.schema(), "definitions");
        kinds.members().values().forEach(kind -> {
            if (((JsonObject) kind).get("properties") instanceof JsonObject members) {
                properties.addAll(members.members().keySet());
            }
        });
        return properties.stream().distinct().toList();
    }

    @Test
    void everyPropertyIsDescribed() {
        JsonObject kinds = object(StatesDialect.schema(), "definitions");
        kinds.members().forEach((name, kind) -> {
            JsonObject properties = object((JsonObject) kind, "properties");
            properties
                    .members()
                    .forEach((property, schema) -> assertTrue(
                            ((JsonObject) schema).get("description") instanceof JsonString text
                                    && !text.value().isEmpty(),
                            name + "." + property));
        });
    }

    private static JsonObject object(JsonObject parent, String name) {
        return (JsonObject) parent.find(name).orElseThrow();
    }

    private static List<String> errors(String source) {
        String text = CanonicalJson.exactText(StatesDialect.schema());
        Schema schema =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(text, InputFormat.JSON);
        return schema.validate(source, InputFormat.JSON).stream()
                .map(Object::toString)
                .toList();
    }
}
