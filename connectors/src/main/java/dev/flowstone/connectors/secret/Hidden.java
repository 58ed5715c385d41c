package dev.flowstone.connectors.secret;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Takes secrets out of what came back, in whatever form they stand there; all that any of them covers is one mark. */
public final class Hidden {
    private static final String MARK = "[hidden]";

    private final List<SecretForm> forms;

    private Hidden(List<SecretForm> forms) {
        this.forms = forms;
    }

    public static Hidden of(Stream<String> secrets) {
        return new Hidden(secrets.filter(secret -> !secret.isEmpty())
                .distinct()
                .flatMap(SecretForms::of)
                .toList());
    }

    /** These and others. */
    public Hidden with(Hidden others) {
        return new Hidden(Stream.concat(forms.stream(), others.forms.stream()).toList());
    }

    /** Whether there is nothing to hide. */
    public boolean isNothing() {
        return forms.isEmpty();
    }

    /** The text without them. */
    public String in(String text) {
        return in(text, false);
    }

    /** The text without them, nor the beginning of one at its end if the text is cut there. */
    public String in(String text, boolean cut) {
        return isNothing() ? text : beginning(text, cut, Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    /**
     * The beginning of the text without them, hardly longer than wanted; shorter if more work would be needed than allowed. It ends
     * with an ellipsis if there is more.
     *
     * @param steps how much work it may be, in characters that are compared
     */
    public String beginning(String text, boolean cut, int longest, long steps) {
        SecretForm.Budget budget = new SecretForm.Budget(steps);
        StringBuilder clean = new StringBuilder(Math.min(text.length(), 2 * Math.min(longest, text.length())));
        int hidden = 0;
        for (int at = 0; at < text.length(); at++) {
            int end = end(text, at, cut, budget);
            if (budget.isSpent()) {
                return clean.append('…').toString();
            }
            if (end > at && at >= hidden) {
                clean.append(MARK);
            }
            hidden = Math.max(hidden, end);
            if (at >= hidden) {
                clean.append(text.charAt(at));
            }
            if (clean.length() > longest) {
                int last = Character.isHighSurrogate(clean.charAt(longest - 1)) ? longest - 1 : longest;
                return clean.substring(0, last) + "…";
            }
        }
        return clean.toString();
    }

    /** Where the longest ends that begins there. */
    private int end(String text, int at, boolean cut, SecretForm.Budget budget) {
        int end = -1;
        for (SecretForm form : forms) {
            end = Math.max(end, form.end(text, at, cut, budget));
        }
        return end;
    }

    /** In all texts, names of members and numbers. */
    public JsonValue in(JsonValue value) {
        return in(value, false);
    }

    /** The same of a text that is cut. */
    public JsonValue in(JsonValue value, boolean cut) {
        if (isNothing()) {
            return value;
        }
        return switch (value) {
            case JsonString(String text) -> new JsonString(in(text, cut));
            case JsonArray(List<JsonValue> items) ->
                new JsonArray(items.stream().map(item -> in(item, cut)).toList());
            case JsonObject object -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                object.members().forEach((name, member) -> members.put(in(name), in(member, cut)));
                yield JsonObject.of(members);
            }
            case JsonNumber number -> {
                String text = CanonicalJson.exactText(number);
                String clean = in(text);
                yield clean.equals(text) ? number : new JsonString(clean);
            }
            default -> value;
        };
    }
}
