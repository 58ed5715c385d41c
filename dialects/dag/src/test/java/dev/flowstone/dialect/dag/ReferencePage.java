package dev.flowstone.dialect.dag;

import dev.flowstone.dialect.dag.DagSchema.Property;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.dag.option.DagOptions.Limits;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNumber;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tables of {@code docs/dag-reference.md}, one for each kind of object, from the published schema. They stand between {@code <!--
 * generated: KIND -->} and {@code <!-- end -->}; what is around them is written by hand.
 */
final class ReferencePage {
    private static final Pattern TABLE =
            Pattern.compile("(<!-- generated: (\\w+) -->\n).*?(<!-- end -->)", Pattern.DOTALL);

    /** What stands in quotes is a word of the format, but for an apostrophe. */
    private static final Pattern WORD = Pattern.compile("(?<![A-Za-z])'([^']+)'(?![A-Za-z])");

    private static final Limits LIMITS = DagOptions.DEFAULT.limits();

    /** How far each setting lets a value go by default. */
    private static final Map<String, String> LIMITED = Map.of(
            "dag.maxIdLength", number(LIMITS.maxIdLength()) + " characters",
            "dag.maxNodesPerWorkflow", number(LIMITS.maxNodesPerWorkflow()),
            "dag.maxEdgesPerWorkflow", number(LIMITS.maxEdgesPerWorkflow()) + " in the workflow",
            "dag.maxTimeout", number(LIMITS.maxTimeout().toDays()) + " days",
            "dag.maxDelay", number(LIMITS.maxDelay().toDays()) + " days",
            "dag.maxRetries", number(1 + LIMITS.maxRetries()) + ", one more than");

    private static final Map<String, String> HEADINGS =
            Map.of("workflow", "the-workflow", "node", "a-node", "edge", "an-edge");

    private ReferencePage() {}

    /** The page with its tables made anew. */
    static String written(String page) {
        return TABLE.matcher(page)
                .replaceAll(
                        (MatchResult it) -> Matcher.quoteReplacement(it.group(1) + table(it.group(2)) + it.group(3)));
    }

    /** The kinds whose tables a page has, in their order. */
    static List<String> kinds(String page) {
        return TABLE.matcher(page).results().map(it -> it.group(2)).toList();
    }

    private static String table(String kind) {
        return DagSchema.properties(kind).stream()
                .map(ReferencePage::row)
                .collect(Collectors.joining(
                        "\n", "| member | is | default | meaning | wrong |\n|---|---|---|---|---|\n", "\n"));
    }

    private static String row(Property property) {
        return "| "
                + String.join(
                        " | ",
                        code(property.name()),
                        is(property),
                        otherwise(property),
                        meaning(property),
                        codes(property))
                + " |";
    }

    private static String is(Property property) {
        String limit = property.text("x-limit")
                .map(it -> LIMITED.getOrDefault(it, "") + " (" + code(it) + ")")
                .orElse("");
        List<String> words = property.texts("enum");
        if (!words.isEmpty()) {
            return words.stream().map(ReferencePage::code).collect(Collectors.joining(", "));
        }
        return switch (property.type()) {
            case "string" -> "text" + most(property, limit);
            case "boolean" -> "`true` or `false`";
            case "integer" -> "whole number, " + range(property, limit);
            case "number" -> "number, " + range(property, limit);
            case "array" ->
                "list of " + property.refersTo().map(it -> link(it, it + "s")).orElse("texts")
                        + (limit.isEmpty() ? "" : ", at most " + limit);
            default -> property.refersTo().map(it -> link(it, it)).orElse("object");
        };
    }

    private static String most(Property property, String limit) {
        if (!limit.isEmpty()) {
            return ", at most " + limit;
        }
        return number(property, "maxLength")
                .map(it -> ", at most " + number(it.longValue()) + " characters")
                .orElse("");
    }

    /** That a number has 32 bits nobody needs to be told. */
    private static String range(Property property, String limit) {
        String least =
                number(property, "minimum").map(BigDecimal::toPlainString).orElse("");
        Optional<String> most = number(property, "maximum")
                .filter(it -> it.longValue() != Integer.MAX_VALUE)
                .map(it -> number(it.longValue()))
                .or(() -> Optional.of(limit).filter(it -> !it.isEmpty()));
        return most.map(it -> least + " to " + it).orElse("from " + least);
    }

    private static String otherwise(Property property) {
        if (property.required()) {
            return "**required**";
        }
        String value = property.schema()
                .find("default")
                .map(it -> code(CanonicalJson.exactText(it).replace("\"", "")))
                .orElse("");
        return value
                + property.text("x-setting").map(it -> " (" + code(it) + ")").orElse("");
    }

    private static String meaning(Property property) {
        return WORD.matcher(property.text("description").orElse(""))
                .replaceAll((MatchResult it) -> Matcher.quoteReplacement(code(it.group(1))));
    }

    private static String codes(Property property) {
        List<String> codes = new ArrayList<>();
        List<String> listed = property.texts("x-codes");
        if (property.required()) {
            codes.add("MISSING_PROPERTY");
        }
        if (!property.texts("enum").isEmpty() && !listed.contains("UNKNOWN_DIALECT")) {
            codes.add("NOT_ALLOWED");
        }
        if (property.schema().find("minimum").isPresent()) {
            codes.add("OUT_OF_RANGE");
        }
        codes.addAll(listed);
        return codes.stream().map(ReferencePage::code).collect(Collectors.joining(", "));
    }

    private static String link(String kind, String text) {
        return "[" + text + "](#" + HEADINGS.getOrDefault(kind, kind) + ")";
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private static Optional<BigDecimal> number(Property property, String word) {
        return property.schema().find(word).map(it -> ((JsonNumber) it).decimalValue());
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
