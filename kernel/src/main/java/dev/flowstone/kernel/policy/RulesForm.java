package dev.flowstone.kernel.policy;

import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.policy.BundleFault.Code;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The form that a bundle of ordered rules has: finds one fault of each rule, and no more, in the order of the rules. */
final class RulesForm {
    private static final Set<String> MEMBERS = Set.of("kind", "rules", OrderedRules.DEFAULT, "description");
    private static final Set<String> OF_RULE = Set.of("name", "effect", "when", "reason");
    private static final int MOST_RULES = 200;
    private static final int LONGEST_NAME = 60;
    private static final int LONGEST_REASON = 500;
    private static final int LONGEST_CONDITION = 4_000;
    private static final String EFFECT = "write \"allow\" or \"deny\"";
    private static final String LANGUAGE = "docs/expressions.md says what the expression language accepts";

    private final Expressions expressions;
    private final List<BundleFault> faults = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    RulesForm(Expressions expressions) {
        this.expressions = expressions;
    }

    List<BundleFault> faults(JsonObject bundle) {
        unknown(bundle, "", MEMBERS, "a bundle of rules has no '").ifPresent(faults::add);
        if (bundle.get(OrderedRules.DEFAULT) != null && !isEffect(bundle.get(OrderedRules.DEFAULT))) {
            faults.add(form("/" + OrderedRules.DEFAULT, "'default' is \"allow\" or \"deny\"", EFFECT));
        }
        if (bundle.get("rules") instanceof JsonArray rules && rules.items().size() <= MOST_RULES) {
            for (int i = 0; i < rules.items().size(); i++) {
                ofRule("/rules/" + i, rules.items().get(i)).ifPresent(faults::add);
            }
        } else {
            faults.add(form(
                    bundle.get("rules") == null ? "" : "/rules",
                    "'rules' is a list of at most " + MOST_RULES + " rules",
                    "list the rules, the first one that applies first; an empty list leaves it to the default"));
        }
        return List.copyOf(faults);
    }

    private Optional<BundleFault> ofRule(String at, JsonValue value) {
        if (!(value instanceof JsonObject rule)) {
            return Optional.of(form(at, "a rule is an object", "write {\"name\": …, \"effect\": …, \"when\": …}"));
        }
        Optional<BundleFault> unknown = unknown(rule, at, OF_RULE, "a rule has no '");
        if (unknown.isPresent()) {
            return unknown;
        }
        if (!isText(rule.get("name"), LONGEST_NAME)) {
            return Optional.of(form(
                    member(at, rule, "name"),
                    "'name' is a text of 1 to " + LONGEST_NAME + " characters",
                    "name the rule: events tell which one decided"));
        }
        String name = OrderedRules.text(rule, "name");
        if (!names.add(name)) {
            return Optional.of(form(
                    at + "/name",
                    "the name '" + name + "' is taken by a rule before it",
                    "give each rule its own name"));
        }
        if (!isEffect(rule.get("effect"))) {
            return Optional.of(form(member(at, rule, "effect"), "'effect' is \"allow\" or \"deny\"", EFFECT));
        }
        if (rule.get("reason") != null && !isText(rule.get("reason"), LONGEST_REASON)) {
            return Optional.of(form(
                    at + "/reason",
                    "'reason' is a text of 1 to " + LONGEST_REASON + " characters",
                    "shorten it, or leave it out"));
        }
        return condition(at + "/when", name, rule.get("when"));
    }

    private Optional<BundleFault> condition(String at, String rule, @Nullable JsonValue when) {
        if (when == null) {
            return Optional.empty();
        }
        if (!isText(when, LONGEST_CONDITION) || !(when instanceof JsonString(String source))) {
            return Optional.of(form(
                    at,
                    "'when' is an expression of 1 to " + LONGEST_CONDITION + " characters",
                    "write one, or leave it out: the rule then always applies"));
        }
        return expressions
                .checkCondition(source)
                .map(error -> new BundleFault(
                        Code.POLICY_CONDITION,
                        at,
                        "'when' of rule '" + rule + "' can't be read: " + error.message() + place(source, error),
                        LANGUAGE));
    }

    /** Where in the condition itself: its place in the document is told anyway. */
    private static String place(String source, ExpressionError error) {
        if (error.position() < 0) {
            return "";
        }
        String before = source.substring(0, Math.min(error.position(), source.length()));
        long line = before.chars().filter(c -> c == '\n').count() + 1;
        int column = before.length() - before.lastIndexOf('\n');
        return " (line " + line + ", column " + column + " of the expression)";
    }

    private static Optional<BundleFault> unknown(JsonObject object, String at, Set<String> known, String message) {
        return object.members().keySet().stream()
                .filter(member -> !known.contains(member))
                .findFirst()
                .map(member -> form(
                        at + "/" + JsonPointer.escape(member),
                        message + shown(member) + "'",
                        "leave it out; known are "
                                + String.join(", ", known.stream().sorted().toList())));
    }

    private static BundleFault form(String at, String message, String remedy) {
        return new BundleFault(Code.POLICY_FORM, at, message, remedy);
    }

    /** The member, or the rule that lacks it. */
    private static String member(String at, JsonObject rule, String name) {
        return rule.get(name) == null ? at : at + "/" + name;
    }

    private static boolean isEffect(@Nullable JsonValue value) {
        return value instanceof JsonString text
                && (text.value().equals("allow") || text.value().equals("deny"));
    }

    private static boolean isText(@Nullable JsonValue value, int longest) {
        return value instanceof JsonString text
                && !text.value().isBlank()
                && text.value().length() <= longest;
    }

    private static String shown(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
    }
}
