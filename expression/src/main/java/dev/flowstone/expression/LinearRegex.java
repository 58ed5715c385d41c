package dev.flowstone.expression;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/**
 * A regular expression that takes time linear in the text: no look-around, no back-references. Its program is small,
 * which bounds the time of one character and the depth of the matcher's recursion.
 */
final class LinearRegex {
    private static final int INSTRUCTIONS_PER_STEP = 32;

    private final Pattern pattern;
    private final boolean global;

    private LinearRegex(Pattern pattern, boolean global) {
        this.pattern = pattern;
        this.global = global;
    }

    /** @throws Fault SYNTAX, with the position of the literal */
    static LinearRegex compile(String source, String flags, int position) {
        int compiled = 0;
        boolean dotAll = false;
        boolean global = false;
        for (int i = 0; i < flags.length(); i++) {
            switch (flags.charAt(i)) {
                case 'i' -> compiled |= Pattern.CASE_INSENSITIVE;
                case 'm' -> compiled |= Pattern.MULTILINE;
                case 's' -> dotAll = true;
                case 'g' -> global = true;
                case 'u' -> {} // Always so: matching is by code points.
                default ->
                    throw Fault.syntax(
                            "There is no flag '" + flags.charAt(i) + "' for a regular expression.", position);
            }
        }
        String translated = new RegexTranslation(source, dotAll, position).translate();
        try {
            return new LinearRegex(Pattern.compile(translated, compiled), global);
        } catch (PatternSyntaxException notTaken) {
            throw Fault.syntax(
                    "The regular expression " + Fault.quote(source) + " is not understood: " + notTaken.getDescription()
                            + ".",
                    position);
        }
    }

    boolean test(String text, Meter meter, int position) {
        charge(text, meter);
        return find(pattern.matcher(text), position);
    }

    /** The first match and its groups, or every match if the expression is global; null if there is none. */
    Object match(String text, Meter meter, int position) {
        charge(text, meter);
        Matcher matcher = pattern.matcher(text);
        if (!find(matcher, position)) {
            return JsonNull.NULL;
        }
        List<JsonValue> found = new ArrayList<>();
        if (global) {
            do {
                found.add(piece(text, matcher.start(), matcher.end(), meter));
            } while (find(matcher, position));
        } else {
            for (int group = 0; group <= matcher.groupCount(); group++) {
                found.add(
                        matcher.start(group) < 0
                                ? JsonNull.NULL
                                : piece(text, matcher.start(group), matcher.end(group), meter));
            }
        }
        return new JsonArray(found);
    }

    private static JsonString piece(String text, int from, int to, Meter meter) {
        meter.step();
        meter.bytes(8);
        meter.text(to - from);
        return new JsonString(text.substring(from, to));
    }

    private void charge(String text, Meter meter) {
        meter.steps((long) (text.length() + 1) * pattern.programSize() / INSTRUCTIONS_PER_STEP);
    }

    private boolean find(Matcher matcher, int position) {
        try {
            return matcher.find();
        } catch (IndexOutOfBoundsException | IllegalStateException brokenLibrary) {
            throw Fault.type("The regular expression cannot be matched here.", position);
        }
    }
}
