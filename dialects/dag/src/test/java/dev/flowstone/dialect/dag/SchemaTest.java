package dev.flowstone.dialect.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.DagCompilation.Compiled;
import dev.flowstone.dialect.dag.DagSchema.Property;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.option.ContextDefaults;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.ProgramCodec;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published schema says what the reader does. */
final class SchemaTest {
    /** What the reader refuses and a schema can't: it hangs together over several places, depends on the installation, or is a language of its own. */
    private static final Set<FaultCode> UNSAYABLE = Set.of(
            FaultCode.DUPLICATE_NODE_ID,
            FaultCode.UNKNOWN_NODE,
            FaultCode.CYCLE,
            FaultCode.UNREACHABLE_NODE,
            FaultCode.UNKNOWN_ACTION,
            FaultCode.ACTION_PARAMETERS,
            FaultCode.CONDITION_INVALID,
            FaultCode.TEMPLATE_INVALID,
            FaultCode.UNKNOWN_NAME,
            FaultCode.TRIGGER_SCHEMA_INVALID);

    /** These are written into a program as they stand, so that two programs that do the same aren't equal. */
    private static final Map<String, String> WRITTEN = Map.of(
            "context.snapshot", ContextDefaults.DEFAULT.snapshot(),
            "context.overflow", ContextDefaults.DEFAULT.overflow());

    /** As messages name them: how far a value may go by default. */
    private static final Map<String, Long> MOST = Map.of(
            "policies.timeoutMs", 2_592_000_000L,
            "retry.maxAttempts", 101L,
            "retry.baseDelayMs", 2_592_000_000L,
            "settings.timeoutMs", 315_360_000_000L);

    static List<Property> properties() {
        return DagSchema.properties();
    }

    static List<String> kinds() {
        return DagSchema.kinds();
    }

    static List<Path> examples() throws IOException {
        return Dags.examples();
    }

    /** Each property of any kind, put in this one: known to both or to neither. */
    @ParameterizedTest
    @MethodSource("kinds")
    void readerAndSchemaKnowTheSameProperties(String kind) {
        Set<String> known =
                DagSchema.properties(kind).stream().map(Property::name).collect(Collectors.toSet());
        for (Property any : DagSchema.properties()) {
            Property here = new Property(kind, any.name(), false, any.schema());
            boolean unknown = faults(here.with(JsonNumber.of(-7))).contains("UNKNOWN_PROPERTY " + here.pointer());

            assertEquals(known.contains(any.name()), !unknown, here::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("properties")
    void aValueOfAnotherTypeIsRefusedByBoth(Property property) {
        JsonValue other = DagSchema.json(
                switch (property.type()) {
                    case "string", "boolean" -> "1";
                    case "integer", "number" -> "\"x\"";
                    default -> "true";
                });

        refusedByBoth(property.with(other), "WRONG_TYPE " + property.pointer());
    }

    @ParameterizedTest
    @MethodSource("properties")
    void whatTheSchemaBoundsTheReaderBounds(Property property) {
        if (!property.texts("enum").isEmpty()) {
            String code = property.texts("x-codes").contains("UNKNOWN_DIALECT") ? "UNKNOWN_DIALECT " : "NOT_ALLOWED ";
            refusedByBoth(property.with(new JsonString("no-such")), code + property.pointer());
            property.texts("enum").forEach(word -> knownByBoth(property, new JsonString(word), "NOT_ALLOWED "));
        }
        number(property, "minimum").ifPresent(least -> {
            refusedByBoth(property.with(plus(least, -1)), "OUT_OF_RANGE " + property.pointer());
            knownByBoth(property, plus(least, 0), "OUT_OF_RANGE ");
        });
        number(property, "maximum").ifPresent(most -> {
            refusedByBoth(property.with(plus(most, 1)), "OUT_OF_RANGE " + property.pointer());
            knownByBoth(property, plus(most, 0), "OUT_OF_RANGE ");
        });
        number(property, "maxLength").ifPresent(most -> {
            refusedByBoth(
                    property.with(new JsonString("x".repeat(most.intValue() + 1))), "BAD_TEXT " + property.pointer());
            knownByBoth(property, new JsonString("x".repeat(most.intValue())), "BAD_TEXT ");
        });
        if (property.required()) {
            refusedByBoth(property.without(), "MISSING_PROPERTY " + DagSchema.place(property.kind()));
        }
    }

    /** A schema for every installation can't say them, since each may set its own. */
    @ParameterizedTest
    @MethodSource("properties")
    void whatASettingBoundsIsNamedWithIt(Property property) {
        String limit = property.text("x-limit").orElse("");
        if (limit.isEmpty() || property.type().equals("array")) {
            return;
        }
        long most = MOST.getOrDefault(property.toString(), 100L);
        JsonValue beyond =
                property.type().equals("string") ? new JsonString("x".repeat((int) most + 1)) : JsonNumber.of(most + 1);
        List<Fault> faults = Dags.compile(property.with(beyond)).faults();

        assertTrue(
                faults.stream().anyMatch(it -> it.isError() && it.remedy().contains("raise the limit " + limit)),
                faults::toString);
        assertEquals(List.of(), DagSchema.errors(property.with(beyond)));
    }

    /** Said or left out, the program is the same. */
    @ParameterizedTest
    @MethodSource("properties")
    void theDefaultIsWhatHoldsWhereNothingIsSaid(Property property) {
        if (property.schema().find("default").isEmpty()) {
            return;
        }
        JsonValue value = property.schema().find("default").orElseThrow();
        if (WRITTEN.containsKey(property.toString())) {
            assertEquals(new JsonString(WRITTEN.getOrDefault(property.toString(), "")), value);
        } else if (property.toString().equals("node.edges")) {
            // Without its edge the other node is nowhere; that no edge is no edge needs no test.
            assertEquals(DagSchema.json("[]"), value);
        } else {
            assertEquals(
                    ProgramCodec.hash(Dags.program(property.without())),
                    ProgramCodec.hash(Dags.program(property.with(value))));
        }
    }

    /** A code that is listed for a place is found at that place, in the table of faults or by the test that it leaves it to. */
    @ParameterizedTest
    @MethodSource("properties")
    void eachCodeIsTheReaders(Property property) {
        Set<FaultCode> elsewhere = FaultTableTest.shownElsewhere();
        for (String name : property.texts("x-codes")) {
            FaultCode code = FaultCode.valueOf(name);
            boolean shown = FaultTableTest.faults().anyMatch(it -> it.code() == code && it.isAt(property));

            assertTrue(shown || elsewhere.contains(code), () -> property + ": " + code);
        }
    }

    /** And a code that is found at a place is listed for it. */
    @Test
    void noCodeOfTheTableIsForgotten() {
        Set<String> general =
                Set.of("WRONG_TYPE", "UNKNOWN_PROPERTY", "MISSING_PROPERTY", "NOT_ALLOWED", "OUT_OF_RANGE");
        List<String> forgotten = FaultTableTest.faults()
                .filter(it -> !general.contains(it.code().name()))
                .flatMap(it -> DagSchema.properties().stream()
                        .filter(it::isAt)
                        .filter(property ->
                                !property.texts("x-codes").contains(it.code().name()))
                        .map(property -> property + ": " + it.code()))
                .distinct()
                .toList();

        assertEquals(List.of(), forgotten);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void takesEveryExample(Path example) throws IOException {
        assertEquals(List.of(), DagSchema.errors(Files.readString(example)));
    }

    @Test
    void refusesWhatTheReaderRefusesButForWhatASchemaCannotSay() {
        FaultTableTest.definitions().forEach(definition -> {
            DagCompilation compiled = Dags.compile(definition);
            List<FaultCode> sayable = compiled.faults().stream()
                    .filter(Fault::isError)
                    .map(it -> (FaultCode) it.code())
                    .filter(it -> !UNSAYABLE.contains(it) && it != FaultCode.JSON_SYNTAX)
                    .toList();
            if (sayable.isEmpty() && compiled instanceof Compiled) {
                assertEquals(List.of(), DagSchema.errors(definition), definition);
            } else if (sayable.stream().anyMatch(it -> !isOfASetting(it, compiled))) {
                assertFalse(DagSchema.errors(definition).isEmpty(), definition);
            }
        });
    }

    /** Out of a bound that a setting draws, in parameters, or a character that can't be shown. */
    private static boolean isOfASetting(FaultCode code, DagCompilation compiled) {
        return compiled.faults().stream()
                .filter(it -> it.code() == code)
                .allMatch(it -> it.remedy().contains("raise the limit")
                        || it.pointer().contains("/parameters/")
                        || it.remedy().equals("remove it")
                        || it.message().contains("can't be shown"));
    }

    @Test
    void everyPropertyIsDescribed() {
        DagSchema.properties()
                .forEach(it -> assertTrue(it.text("description").orElse("").endsWith("."), it::toString));
    }

    private static void refusedByBoth(String definition, String fault) {
        assertTrue(faults(definition).contains(fault), () -> fault + " isn't in " + faults(definition));
        assertFalse(DagSchema.errors(definition).isEmpty(), definition);
    }

    private static void knownByBoth(Property property, JsonValue value, String fault) {
        String definition = property.with(value);
        String at = fault + property.pointer();
        assertFalse(faults(definition).contains(at), () -> at + " of " + definition);
        boolean refused = DagSchema.errors(definition).stream().anyMatch(it -> it.startsWith(property.pointer() + ":"));
        assertFalse(refused, () -> DagSchema.errors(definition).toString());
    }

    private static List<String> faults(String definition) {
        return Dags.compile(definition).faults().stream()
                .map(it -> it.code() + " " + it.pointer())
                .toList();
    }

    private static Optional<BigDecimal> number(Property property, String word) {
        return property.schema().find(word).map(it -> ((JsonNumber) it).decimalValue());
    }

    private static JsonValue plus(BigDecimal number, long more) {
        return JsonNumber.of(number.add(BigDecimal.valueOf(more)));
    }
}
