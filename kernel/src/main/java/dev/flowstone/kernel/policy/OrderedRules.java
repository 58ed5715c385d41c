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
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

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
    static final String DEFAULT = "default";

    @Override
    public List<BundleFault> faults(JsonObject bundle, Expressions expressions) {
        return new RulesForm(expressions).faults(bundle);
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

    static String text(JsonObject object, String name) {
        return object.get(name) instanceof JsonString text ? text.value() : "";
    }
}
