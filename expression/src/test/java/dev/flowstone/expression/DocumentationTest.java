package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The users' page has a row for whatever the language has, no other, and each of its examples is true. */
final class DocumentationTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/expressions.md");

    private static final Pattern EXAMPLE = Pattern.compile("`([^`]+)` is `([^`]+)`");
    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");

    @Test
    void hasARowForEachCallOnAText() throws IOException {
        assertEquals(with(TextMethods.ALL.keySet(), "length", "match"), calls("### Text"));
    }

    @Test
    void hasARowForEachCallOnAList() throws IOException {
        Set<String> all = with(ArrayMethods.ALL.keySet(), "length");
        Arrays.stream(Iteration.values()).forEach(it -> all.add(it.method()));

        assertEquals(all, calls("### Lists"));
    }

    @Test
    void hasARowForEachCallOnANumber() throws IOException {
        assertEquals(with(NumberMethods.ALL.keySet()), calls("### Numbers"));
    }

    @Test
    void hasARowForEachFunction() throws IOException {
        assertEquals(with(Functions.ALL.keySet(), "/…/.test"), calls("### Functions"));
    }

    @Test
    void hasARowForEachOperator() throws IOException {
        Set<String> all = with(Set.of(), "?:");
        Arrays.stream(BinaryOperator.values()).forEach(it -> all.add(symbol(it)));
        Arrays.stream(ShortCircuit.Kind.values()).forEach(it -> all.add(symbol(it)));
        Arrays.stream(Unary.Operator.values()).forEach(it -> all.add(symbol(it)));

        assertEquals(all, calls("## Operators"));
    }

    @Test
    void hasARowForEachError() throws IOException {
        Set<String> codes = calls("## Errors");

        for (Fault.Code code : Fault.Code.values()) {
            assertTrue(codes.contains(code.name()), code::name);
        }
    }

    @Test
    void saysTheBudgets() throws IOException {
        ExpressionBudget budget = ExpressionBudget.DEFAULT;
        Map<Row, String> rows = new EnumMap<>(Row.class);
        rows.put(
                Row.SOURCE,
                number(budget.sourceChars()) + " characters, " + budget.sourceDepth() + " levels, functions "
                        + budget.functionDepth() + " levels");
        rows.put(Row.STEPS, number(budget.steps()));
        rows.put(Row.BYTES, (budget.bytes() >> 20) + " MiB");
        rows.put(Row.DEPTH, budget.valueDepth() + " levels");
        rows.put(Row.REGEX, RegexTranslation.MOST_INSTRUCTIONS + " instructions");
        rows.put(Row.TEMPLATE_STEPS, number(budget.templateSteps()));
        rows.put(Row.TEMPLATE_BYTES, (budget.templateBytes() >> 20) + " MiB");

        List<String> lines = section("## Budgets");
        rows.forEach((row, value) -> assertTrue(
                lines.stream().anyMatch(it -> it.startsWith(row.begins) && it.endsWith("| " + value + " |")),
                row::name));
    }

    /** How the rows of the budgets begin. */
    private enum Row {
        SOURCE("| length, nesting"),
        STEPS("| steps (500 statements"),
        BYTES("| texts, lists and objects produced, 2 bytes"),
        DEPTH("| nesting of a value"),
        REGEX("| a regular expression"),
        TEMPLATE_STEPS("| steps, 200 for each"),
        TEMPLATE_BYTES("| values put into");

        private final String begins;

        Row(String begins) {
            this.begins = begins;
        }
    }

    @TestFactory
    Stream<DynamicTest> eachExampleIsTrue() throws IOException {
        List<MatchResult> examples = Files.readAllLines(PAGE).stream()
                .flatMap(line -> EXAMPLE.matcher(line.replace("\\|", "|")).results())
                .toList();

        assertFalse(examples.isEmpty());
        return examples.stream()
                .map(it -> dynamicTest(it.group(1), () -> assertEquals(it.group(2), Sample.value(it.group(1)))));
    }

    private static String symbol(BinaryOperator operator) {
        return switch (operator) {
            case STRICT_EQUAL -> "===";
            case STRICT_UNEQUAL -> "!==";
            case LOOSE_EQUAL -> "==";
            case LOOSE_UNEQUAL -> "!=";
            case LESS -> "<";
            case AT_MOST -> "<=";
            case GREATER -> ">";
            case AT_LEAST -> ">=";
            case ADD -> "+";
            case SUBTRACT -> "-";
            case MULTIPLY -> "*";
            case DIVIDE -> "/";
            case REMAINDER -> "%";
            case POWER -> "**";
            case IN -> "in";
        };
    }

    private static String symbol(ShortCircuit.Kind operator) {
        return switch (operator) {
            case AND -> "&&";
            case OR -> "||";
            case NULLISH -> "??";
        };
    }

    private static String symbol(Unary.Operator operator) {
        return switch (operator) {
            case NOT -> "!";
            case NEGATE -> "-";
            case NUMBER -> "+";
            case TYPEOF -> "typeof";
        };
    }

    private static Set<String> with(Set<String> names, String... more) {
        Set<String> all = new TreeSet<>(names);
        all.addAll(List.of(more));
        return all;
    }

    /** What stands in the first cells of a section's table, without arguments. */
    private static Set<String> calls(String heading) throws IOException {
        return section(heading).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.replace("\\|", "\u0000").split(" \\| ", 2)[0].replace("\u0000", "|"))
                .flatMap(cell -> SPAN.matcher(cell).results())
                .map(span -> span.group(1).replaceFirst("(?<=\\w)\\(.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Its lines, up to the next heading. */
    private static List<String> section(String heading) throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        int begin = lines.indexOf(heading);
        assertTrue(begin >= 0, heading);
        return lines.subList(begin + 1, lines.size()).stream()
                .takeWhile(line -> !line.startsWith("#"))
                .toList();
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
