package dev.flowstone.triggers.condition;

import static java.util.Objects.requireNonNull;

import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Activation conditions: expressions of the definitions' language, within its budgets, that read {@code trigger}. What they see is what
 * came, numbers exact. Thread-safe.
 */
public final class Activation {
    private static final String TRIGGER = "trigger";

    /** What conditions and keys that definitions declare call the data of what came. */
    private static final String EVENT = "event";

    private final ScriptExpressions scripts;

    public Activation(ScriptExpressions scripts) {
        this.scripts = requireNonNull(scripts);
    }

    /** What is wrong with one, before it is saved; empty if nothing. */
    public Optional<String> fault(String condition) {
        if (condition.indexOf(0) >= 0) {
            return Optional.of("an activation condition holds no NUL (U+0000); write it as an escape, \\u0000");
        }
        Optional<ExpressionError> error = scripts.checkCondition(condition);
        if (error.isPresent()) {
            return error.map(Activation::told);
        }
        Set<String> others =
                new TreeSet<>(scripts.conditionReferences(condition).roots());
        others.remove(TRIGGER);
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of("no value is named '" + others.iterator().next()
                        + "' here: an activation condition reads 'trigger', what came");
    }

    /** Whether what came starts something. */
    public Verdict verdict(Optional<String> condition, JsonValue payload) {
        if (condition.isEmpty()) {
            return new Verdict.Admitted();
        }
        Evaluation evaluation = scripts.condition(condition.get(), roots(payload));
        if (evaluation.error().isPresent()) {
            return new Verdict.Failed(told(evaluation.error().get()));
        }
        return evaluation.result() ? new Verdict.Admitted() : new Verdict.Ignored();
    }

    /** A signal's key, filled in. */
    public Key key(String template, JsonValue event) {
        return switch (scripts.render(new JsonString(template), roots(event))) {
            case Rendering.Rendered(JsonString(String key), long _, long _) -> new Key.Told(key);
            case Rendering.Rendered(JsonNumber number, long _, long _) -> new Key.Told(number.toString());
            case Rendering.Rendered _ -> new Key.Untold("the signal's key is neither text nor a number");
            case Rendering.Failed failed -> new Key.Untold("the signal's key can't be told: " + told(failed.error()));
        };
    }

    /** What an event says beside what it is; null if it says nothing. */
    public static JsonValue data(JsonValue event) {
        return event instanceof JsonObject object ? object.find("data").orElse(JsonNull.NULL) : JsonNull.NULL;
    }

    private static Roots roots(JsonValue payload) {
        return name -> switch (name) {
            case TRIGGER -> payload;
            case EVENT -> data(payload);
            default -> null;
        };
    }

    /** How a key came out. */
    public sealed interface Key {
        record Told(String key) implements Key {
            public Told {
                requireNonNull(key);
            }
        }

        record Untold(String error) implements Key {
            public Untold {
                requireNonNull(error);
            }
        }
    }

    private static String told(ExpressionError error) {
        return error.message() + (error.position() < 0 ? "" : " (at character " + (error.position() + 1) + ")");
    }

    /** How a condition came out. */
    public sealed interface Verdict {
        /** It holds, or there is none. */
        record Admitted() implements Verdict {}

        /** It doesn't hold. */
        record Ignored() implements Verdict {}

        /** It can't be told, such as where what it reads isn't there. */
        record Failed(String error) implements Verdict {
            public Failed {
                requireNonNull(error);
            }
        }
    }
}
