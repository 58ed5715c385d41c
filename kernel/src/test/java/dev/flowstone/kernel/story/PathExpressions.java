package dev.flowstone.kernel.story;

import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.OmittedException;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Conditions are {@code true}, {@code false}, {@code boom} (an error), a path that must hold true, or
 * {@code path=json}. A template is one whole {@code {{path}}}. Each takes a step for every character.
 */
public final class PathExpressions implements Expressions {
    private static final ExpressionError BOOM = new ExpressionError("TYPE", "boom", 0);

    /** A condition has no spaces. */
    @Override
    public Optional<ExpressionError> checkCondition(String source) {
        int space = source.indexOf(' ');
        return space < 0 ? Optional.empty() : Optional.of(new ExpressionError("SYNTAX", "a space", space));
    }

    @Override
    public Evaluation condition(String source, Roots roots) {
        if (source.equals("boom")) {
            return new Evaluation(false, Optional.of(BOOM), JsonObject.EMPTY, source.length(), 0);
        }
        if (source.equals("true") || source.equals("false")) {
            return new Evaluation(source.equals("true"), Optional.empty(), JsonObject.EMPTY, source.length(), 0);
        }
        int equals = source.indexOf('=');
        String path = equals < 0 ? source : source.substring(0, equals);
        JsonValue value;
        try {
            value = value(path, roots);
        } catch (OmittedException omitted) {
            return new Evaluation(false, Optional.of(error(omitted)), JsonObject.EMPTY, source.length(), 0);
        }
        boolean result = equals < 0
                ? JsonBoolean.TRUE.equals(value)
                : value != null && CanonicalJson.exactText(value).equals(source.substring(equals + 1));
        JsonObject read = value == null
                ? JsonObject.EMPTY
                : JsonObject.builder().put(path, value).build();
        return new Evaluation(result, Optional.empty(), read, source.length(), 0);
    }

    @Override
    public Rendering render(JsonValue template, Roots roots) {
        return render(template, roots, "");
    }

    private static Rendering render(JsonValue template, Roots roots, String pointer) {
        return switch (template) {
            case JsonString text
            when text.value().startsWith("{{") ->
                path(text.value().substring(2, text.value().length() - 2), roots, pointer);
            case JsonObject object -> members(object, roots, pointer);
            case JsonArray array -> items(array, roots, pointer);
            default -> new Rendering.Rendered(template, 0, 0);
        };
    }

    private static Rendering path(String path, Roots roots, String pointer) {
        JsonValue value;
        try {
            value = value(path, roots);
        } catch (OmittedException omitted) {
            return new Rendering.Failed(pointer, error(omitted), path.length(), 0);
        }
        return value == null
                ? new Rendering.Failed(pointer, new ExpressionError("UNKNOWN_NAME", "no " + path, 2), path.length(), 0)
                : new Rendering.Rendered(value, path.length(), 0);
    }

    private static ExpressionError error(OmittedException omitted) {
        return new ExpressionError(OmittedException.CODE, omitted.sentence(), 2);
    }

    private static Rendering members(JsonObject object, Roots roots, String pointer) {
        JsonObject.Builder out = JsonObject.builder();
        long steps = 0;
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            Rendering inner = render(member.getValue(), roots, pointer + "/" + member.getKey());
            if (!(inner instanceof Rendering.Rendered rendered)) {
                return inner;
            }
            out.put(member.getKey(), rendered.value());
            steps += rendered.steps();
        }
        return new Rendering.Rendered(out.build(), steps, 0);
    }

    private static Rendering items(JsonArray array, Roots roots, String pointer) {
        List<JsonValue> items = new ArrayList<>();
        long steps = 0;
        for (JsonValue item : array.items()) {
            Rendering inner = render(item, roots, pointer + "/" + items.size());
            if (!(inner instanceof Rendering.Rendered rendered)) {
                return inner;
            }
            items.add(rendered.value());
            steps += rendered.steps();
        }
        return new Rendering.Rendered(new JsonArray(items), steps, 0);
    }

    /** Looked at as a whole: whoever has it need not look at what may be left out of it. */
    private static @Nullable JsonValue value(String path, Roots roots) {
        JsonValue value = resolve(path, roots);
        if (value != null) {
            long _ = CanonicalJson.exactLength(value);
        }
        return value;
    }

    private static @Nullable JsonValue resolve(String path, Roots roots) {
        List<String> names = Pattern.compile("\\.").splitAsStream(path).toList();
        JsonValue at = roots.root(names.getFirst());
        for (String name : names.subList(1, names.size())) {
            at = at instanceof JsonObject object ? object.get(name) : null;
        }
        return at;
    }
}
