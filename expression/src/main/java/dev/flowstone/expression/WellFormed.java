package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonString;
import java.nio.charset.StandardCharsets;

/**
 * Text that has a UTF-8 form. JavaScript lets a string hold half of a surrogate pair; JSON as the kernel has it does not,
 * so that an operation which would leave one is a TYPE fault.
 */
final class WellFormed {
    private WellFormed() {}

    static boolean is(String text) {
        for (int i = 0; i < text.length(); i++) {
            char half = text.charAt(i);
            if (Character.isHighSurrogate(half)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(half)) {
                return false;
            }
        }
        return true;
    }

    static JsonString string(String text, int position) {
        if (!is(text)) {
            throw Fault.type(
                    "This would cut a character outside the basic plane, such as an emoji, in half.", position);
        }
        return new JsonString(text);
    }

    /** The text with a question mark for every half of a pair. */
    static String repaired(String text) {
        return is(text) ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
