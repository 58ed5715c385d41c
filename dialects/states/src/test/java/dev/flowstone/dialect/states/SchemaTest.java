package dev.flowstone.dialect.states;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The published schema says what the reader does. */
final class SchemaTest {
    private static final Path PUBLISHED = Sources.ROOT.resolve("docs/schema/states-1.json");

    static List<Path> examples() throws IOException {
        return Sources.examples();
    }

    /**
     * What the reader refuses and a schema can't: each kind of fault, and why. Of some kinds only certain places, by the ends of
     * their pointers.
     */
    private record Unsayable(StatesFault fault, Set<String> places, String why) {
        boolean covers(FaultTableTest.Row row) {
            return fault == row.fault()
                    && (places.isEmpty()
                            || places.stream().anyMatch(it -> row.pointer().endsWith(it)));
        }
    }

    private static final List<Unsayable> UNSAYABLE = List.of(
            unsayable(StatesFault.OUT_OF_RANGE, "no more permits than are declared elsewhere", "/semaphore/permits"),
            unsayable(StatesFault.BAD_TIME, "a schedule's fields, and whether it is ever due", "/cron"),
            unsayable(StatesFault.BAD_TIME, "which time zones there are", "/zone"),
            unsayable(StatesFault.DUPLICATE_NAME, "names of states are unique over all branches"),
            unsayable(StatesFault.UNKNOWN_STATE, "a name that must stand elsewhere"),
            unsayable(StatesFault.UNKNOWN_REFERENCE, "a name that must stand elsewhere"),
            unsayable(StatesFault.UNKNOWN_ACTION, "which actions there are is known where it runs"),
            unsayable(StatesFault.UNKNOWN_EVENT, "which kinds of events there are grows with the engine"),
            unsayable(StatesFault.UNKNOWN_OUTCOME, "outcomes depend on what the state does"),
            unsayable(StatesFault.NO_WAY_ON, "outcomes depend on what the state does"),
            unsayable(StatesFault.NOT_TOGETHER, "what makes no sense together depends on the place"),
            unsayable(StatesFault.BAD_DEFAULT, "a default's type is what its variable says"),
            unsayable(StatesFault.CALL_INPUT, "what a call must give is declared elsewhere"),
            unsayable(StatesFault.POLICY_CIRCLE, "circles"),
            unsayable(StatesFault.CONDITION_INVALID, "a language of its own"),
            unsayable(StatesFault.TEMPLATE_INVALID, "a language of its own"),
            unsayable(StatesFault.UNKNOWN_NAME, "a language of its own"),
            unsayable(StatesFault.UNREACHABLE_STATE, "a graph"));

    private static Unsayable unsayable(StatesFault fault, String why, String... places) {
        return new Unsayable(fault, Set.of(places), why);
    }

    @Test
    void isPublishedInTheDocumentsAndInTheJar() throws Exception {
        JsonObject written = StatesDialect.schema();

        assertEquals(
                written,
                JsonParser.parse(Files.readAllBytes(PUBLISHED)),
                "both copies hold what StatesDialect.schema() gives");
        assertEquals(Files.readString(PUBLISHED), StatesDialect.schemaText());
    }

    /** All but what is no JSON: no validator gets to see that. */
    static List<FaultTableTest.Row> refused() {
        return FaultTableTest.rows().stream()
                .filter(row -> row.fault() != StatesFault.JSON_SYNTAX)
                .toList();
    }

    /** Both ways: what is listed as unsayable passes the schema, so that the list never says too much. */
    @ParameterizedTest
    @MethodSource("refused")
    void refusesWhatTheReaderRefusesButForWhatASchemaCannotSay(FaultTableTest.Row row) {
        boolean sayable = UNSAYABLE.stream().noneMatch(it -> it.covers(row));

        assertEquals(sayable, !errors(Sources.json(row.source())).isEmpty(), row::toString);
    }

    @Test
    void whatIsSaidToBeUnsayableHasACase() {
        for (Unsayable each : UNSAYABLE) {
            assertTrue(FaultTableTest.rows().stream().anyMatch(each::covers), each.why());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            after | P1Y
            after | P1M
            after | P1W
            after | P
            after | PT
            after | P1DT
            after | PT5
            after | 5M
            after | PT1M1H
            after | P-1D
            after | -PT5M
            after | tomorrow
            every | PT0S
            every | P0DT0H0M0.000S
            every | P1Y
            at    | tomorrow
            at    | 2027-01-31
            at    | 2027-01-31T09:00:00
            at    | 2027-13-01T09:00:00Z
            at    | 2027-01-31T25:00:00Z
            at    | +10000-01-01T00:00:00Z
            at    | 2027-01-31 09:00:00Z
            """)
    void neitherTakesATimeThatIsNone(String property, String time) {
        String source = timer(property, time);

        assertInstanceOf(StatesCompilation.Refused.class, Sources.compile(source), "the reader");
        assertFalse(errors(Sources.json(source)).isEmpty(), "the schema");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            after | P2D
            after | P1DT2H3M4.5S
            after | PT90S
            after | PT0S
            after | PT1H30M
            after | PT1H5S
            after | PT{{ trigger.minutes }}M
            after | {{ trigger.wait }}
            every | PT0.001S
            every | PT10M
            every | {{ trigger.every }}
            at    | 2027-01-31T09:00:00+01:00
            at    | 2027-01-31T09:00Z
            at    | 2027-01-31T09:00:00.123456Z
            at    | {{ trigger.at }}
            """)
    void bothTakeATimeThatIsOne(String property, String time) {
        String source = timer(property, time);

        assertEquals(List.of(), Sources.compile(source).faults(), "the reader");
        assertEquals(List.of(), errors(Sources.json(source)), "the schema");
    }

    private static String timer(String property, String time) {
        return Sources.states("'a':{'timer':{'" + property + "':'" + time + "'},'next':'end'}", "'end':{'end':{}}");
    }

    static Set<String> kinds() {
        return object(StatesDialect.schema(), "definitions").members().keySet();
    }

    /**
     * Each property of any kind, put in this one, with a value that hardly any takes: known to both or to neither. A reader that
     * knows a property refuses its value, or nothing; one that doesn't refuses its name.
     */
    @ParameterizedTest
    @MethodSource("kinds")
    void readerAndSchemaKnowTheSameProperties(String kind) {
        Place place = Place.of(kind);
        for (String property : properties()) {
            JsonValue source = place.around(
                    JsonObject.builder().put(property, JsonArray.EMPTY).build());
            String pointer = place.pointer() + "/" + property;
            boolean unknown = Sources.compile(CanonicalJson.exactText(source)).faults().stream()
                    .anyMatch(it -> it.code() == StatesFault.UNKNOWN_PROPERTY
                            && it.pointer().equals(pointer));

            assertEquals(knows(kind, property), !unknown, kind + "." + property);
        }
    }

    /** A workflow's shortest way to an object of some kind. */
    private record Place(List<String> steps) {
        static Place of(String wanted) {
            Map<String, Place> known = new HashMap<>(Map.of("workflow", new Place(List.of())));
            Deque<String> open = new ArrayDeque<>(known.keySet());
            while (!known.containsKey(wanted) && !open.isEmpty()) {
                String kind = open.remove();
                Place here = known.getOrDefault(kind, new Place(List.of()));
                JsonObject properties = object(definition(kind), "properties");
                properties.members().forEach((name, shape) -> here.with(name).explore(shape, known, open));
            }
            return Objects.requireNonNull(known.get(wanted), () -> "nothing leads to " + wanted);
        }

        private Place with(String step) {
            return new Place(Stream.concat(steps.stream(), Stream.of(step)).toList());
        }

        /** Lists are a step {@code 0}, names of the author's a step {@code x}, as they stand in the pointer. */
        private void explore(JsonValue value, Map<String, Place> known, Deque<String> open) {
            if (!(value instanceof JsonObject shape)) {
                return;
            }
            if (shape.get("$ref") instanceof JsonString(String ref)) {
                String kind = ref.substring(ref.lastIndexOf('/') + 1);
                if (known.putIfAbsent(kind, this) == null) {
                    open.add(kind);
                }
            }
            for (String choice : List.of("anyOf", "allOf")) {
                if (shape.get(choice) instanceof JsonArray choices) {
                    choices.items().forEach(it -> explore(it, known, open));
                }
            }
            shape.find("items").ifPresent(it -> with("0").explore(it, known, open));
            shape.find("additionalProperties").ifPresent(it -> with("x").explore(it, known, open));
        }

        String pointer() {
            return steps.stream().map(it -> "/" + it).collect(Collectors.joining());
        }

        JsonValue around(JsonValue inside) {
            JsonValue all = inside;
            for (String step : steps.reversed()) {
                all = step.equals("0")
                        ? JsonArray.of(all)
                        : JsonObject.builder().put(step, all).build();
            }
            return all;
        }
    }

    private static JsonObject definition(String kind) {
        return object(object(StatesDialect.schema(), "definitions"), kind);
    }

    private static boolean knows(String kind, String property) {
        return object(definition(kind), "properties").get(property) != null;
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
