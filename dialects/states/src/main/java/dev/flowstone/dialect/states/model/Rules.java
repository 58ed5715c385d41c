package dev.flowstone.dialect.states.model;

import static java.util.stream.Collectors.joining;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Rules as conditions of the expression language. For a source of sound shape whose policies know each other. */
public final class Rules {
    private static final Map<String, String> OPERATORS = Map.of(
            "equals", "===",
            "notEquals", "!==",
            "greater", ">",
            "greaterOrEqual", ">=",
            "less", "<",
            "lessOrEqual", "<=");

    /** Longer than any expression may be: a rule that grows beyond it is cut here, and refused there. */
    private static final int MOST = 5_000;

    private final Map<String, At> policies;
    private final Deque<String> open = new ArrayDeque<>();

    /** Worked out once: policies that name others twice would double the work with each. */
    private final Map<String, String> known = new HashMap<>();

    public Rules(At workflow) {
        this.policies = workflow.named("policies");
    }

    /** An expression as it is, a rule as an expression. */
    public String condition(JsonValue value) {
        return value instanceof JsonObject rule
                ? rule(rule)
                : value instanceof JsonString text ? text.value() : "false";
    }

    /** What must hold for this policy to allow. */
    public String policy(String name) {
        String condition = known.get(name);
        if (condition != null) {
            return condition;
        }
        At policy = policies.get(name);
        if (policy == null || open.contains(name)) {
            return "false";
        }
        open.push(name);
        condition = policy.has("rules")
                ? ordered(policy.list("rules"))
                : policy.object("rule").map(it -> rule(it.json())).orElse("false");
        open.pop();
        known.put(name, condition);
        return condition;
    }

    /** The first that applies decides; without one it is denied. */
    private String ordered(List<At> rules) {
        String rest = "false";
        for (At rule : rules.reversed()) {
            boolean allows = rule.text("effect").orElse("deny").equals("allow");
            String when = rule.value("when").map(this::condition).orElse("true");
            rest = allows ? "(" + when + ") || (" + rest + ")" : "!(" + when + ") && (" + rest + ")";
        }
        return rest.length() > MOST ? rest.substring(0, MOST) : rest;
    }

    /** The policies that a rule refers to, in it and in rules inside it. */
    public static Set<String> references(JsonValue value) {
        Set<String> names = new TreeSet<>();
        switch (value) {
            case JsonObject object ->
                object.members().forEach((member, inner) -> {
                    if (member.equals("policy") && inner instanceof JsonString name) {
                        names.add(name.value());
                    }
                    names.addAll(references(inner));
                });
            case JsonArray array -> array.items().forEach(item -> names.addAll(references(item)));
            default -> {}
        }
        return names;
    }

    private String rule(JsonObject rule) {
        if (rule.members().size() != 1) {
            return "false";
        }
        Map.Entry<String, JsonValue> only = rule.members().entrySet().iterator().next();
        JsonValue value = only.getValue();
        String text = switch (only.getKey()) {
            case "all" -> joined(value, " && ");
            case "any" -> joined(value, " || ");
            case "not" -> "!(" + condition(value) + ")";
            case "present" -> "((" + condition(value) + ") ?? null) !== null";
            case "policy" -> policy(value instanceof JsonString name ? name.value() : "");
            case "in" -> operand(value, 1) + ".includes(" + operand(value, 0) + ")";
            default -> operand(value, 0) + " " + OPERATORS.get(only.getKey()) + " " + operand(value, 1);
        };
        return text.length() > MOST ? text.substring(0, MOST) : text;
    }

    private String joined(JsonValue rules, String operator) {
        List<JsonValue> items = rules instanceof JsonArray array ? array.items() : List.of();
        return items.stream().map(item -> "(" + condition(item) + ")").collect(joining(operator));
    }

    private static String operand(JsonValue pair, int index) {
        if (!(pair instanceof JsonArray array) || array.items().size() <= index) {
            return "null";
        }
        JsonValue operand = array.items().get(index);
        if (operand instanceof JsonObject object && object.get("value") instanceof JsonString expression) {
            return "(" + expression.value() + ")";
        }
        return CanonicalJson.exactText(operand);
    }
}
