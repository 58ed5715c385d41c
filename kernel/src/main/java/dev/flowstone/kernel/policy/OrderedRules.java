package dev.flowstone.kernel.policy;

import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The built-in form: the first rule that applies decides, else the default, else it is denied. An error or a spent budget
 * never helps anybody through: a rule that allows doesn't apply then, and one that denies does.
 *
 * <pre>
 * {"kind": "rules", "rules": [{"name", "effect": "allow" | "deny", "when"?, "reason"?}], "default"?: "allow" | "deny"}
 * </pre>
 */
final class OrderedRules implements PolicyEvaluator {
    static final String KIND = "rules";
    private static final String DEFAULT = "default";
    private static final Set<String> MEMBERS = Set.of("kind", "rules", DEFAULT, "description");
    private static final Set<String> OF_RULE = Set.of("name", "effect", "when", "reason");
    private static final int MOST_RULES = 200;
    private static final int LONGEST_NAME = 60;
    private static final int LONGEST_REASON = 500;
    private static final int LONGEST_CONDITION = 4_000;

    @Override
    public Optional<String> fault(JsonObject bundle) {
        for (String member : bundle.members().keySet()) {
            if (!MEMBERS.contains(member)) {
                return Optional.of("a bundle of rules has no '" + shown(member) + "'");
            }
        }
        if (bundle.get(DEFAULT) != null && !isEffect(bundle.get(DEFAULT))) {
            return Optional.of("'default' is \"allow\" or \"deny\"");
        }
        if (!(bundle.get("rules") instanceof JsonArray rules) || rules.items().size() > MOST_RULES) {
            return Optional.of("'rules' is a list of at most " + MOST_RULES + " rules");
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < rules.items().size(); i++) {
            Optional<String> fault = faultOfRule(rules.items().get(i), names);
            if (fault.isPresent()) {
                return Optional.of("/rules/" + i + ": " + fault.get());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> faultOfRule(JsonValue value, Set<String> names) {
        if (!(value instanceof JsonObject rule)) {
            return Optional.of("a rule is an object");
        }
        for (String member : rule.members().keySet()) {
            if (!OF_RULE.contains(member)) {
                return Optional.of("a rule has no '" + shown(member) + "'");
            }
        }
        if (!isText(rule.get("name"), LONGEST_NAME)) {
            return Optional.of("'name' is a text of 1 to " + LONGEST_NAME + " characters");
        }
        if (!names.add(text(rule, "name"))) {
            return Optional.of("the name '" + text(rule, "name") + "' is taken by a rule before it");
        }
        if (!isEffect(rule.get("effect"))) {
            return Optional.of("'effect' is \"allow\" or \"deny\"");
        }
        if (rule.get("when") != null && !isText(rule.get("when"), LONGEST_CONDITION)) {
            return Optional.of("'when' is an expression of 1 to " + LONGEST_CONDITION + " characters");
        }
        if (rule.get("reason") != null && !isText(rule.get("reason"), LONGEST_REASON)) {
            return Optional.of("'reason' is a text of 1 to " + LONGEST_REASON + " characters");
        }
        return Optional.empty();
    }

    @Override
    public Verdict evaluate(JsonObject bundle, Roots roots, Expressions expressions, Budget budget) {
        Course course = new Course(roots, expressions, budget);
        JsonArray rules = bundle.get("rules") instanceof JsonArray array ? array : JsonArray.EMPTY;
        for (JsonValue value : rules.items()) {
            JsonObject rule = (JsonObject) value;
            boolean allows = text(rule, "effect").equals("allow");
            if (course.applies(rule, allows)) {
                String name = text(rule, "name");
                String reason = text(rule, "reason");
                return course.verdict(allows, Optional.of(name), reason.isEmpty() ? name : reason);
            }
        }
        return course.verdict(text(bundle, DEFAULT).equals("allow"), Optional.empty(), "no rule applies");
    }

    /** One evaluation on its way. */
    private static final class Course {
        private final Roots roots;
        private final Expressions expressions;
        private final Budget budget;
        private final TreeMap<String, JsonValue> read = new TreeMap<>();
        private Optional<ExpressionError> error = Optional.empty();
        private long steps;
        private long bytes;

        Course(Roots roots, Expressions expressions, Budget budget) {
            this.roots = roots;
            this.expressions = expressions;
            this.budget = budget;
        }

        boolean applies(JsonObject rule, boolean allows) {
            steps++;
            if (!(rule.get("when") instanceof JsonString when)) {
                return true;
            }
            if (steps > budget.steps() || bytes >= budget.bytes()) {
                fail(new ExpressionError(
                        "BUDGET_DECISION",
                        "What was evaluated before took all the steps or bytes that one decision allows; rule '"
                                + text(rule, "name") + "' was not evaluated.",
                        -1));
                return !allows;
            }
            Evaluation evaluation;
            try {
                evaluation = expressions.condition(when.value(), roots);
            } catch (MissingFactException e) {
                throw e.after(steps + e.steps(), bytes + e.bytes());
            }
            steps += evaluation.steps();
            bytes += evaluation.bytes();
            read.putAll(evaluation.read().members());
            evaluation.error().ifPresent(this::fail);
            return evaluation.error().isPresent() ? !allows : evaluation.result();
        }

        private void fail(ExpressionError found) {
            if (error.isEmpty()) {
                error = Optional.of(found);
            }
        }

        Verdict verdict(boolean allowed, Optional<String> rule, String reason) {
            return new Verdict(allowed, rule, reason, JsonObject.of(read), error, steps, bytes);
        }
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

    private static String text(JsonObject object, String name) {
        return object.get(name) instanceof JsonString text ? text.value() : "";
    }

    private static String shown(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
    }
}
