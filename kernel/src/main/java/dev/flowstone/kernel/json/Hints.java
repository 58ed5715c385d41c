package dev.flowstone.kernel.json;

/** Refusals that teach: the mistakes that people and other tools make, told with what JSON wants instead. */
final class Hints {
    private static final int LONGEST_QUOTE = 60;

    private Hints() {}

    /** Refuses what is too long, and texts in another encoding, before any of it is read. */
    static void refuseOtherEncodings(JsonInput in, JsonLimits limits) throws JsonSyntaxException {
        byte[] bytes = in.bytes;
        if (bytes.length > limits.bytes()) {
            throw new JsonSyntaxException(
                    "the text has " + bytes.length + " bytes, at most " + limits.bytes() + " are accepted here",
                    1,
                    1,
                    0);
        }
        int first = bytes.length > 0 ? bytes[0] & 0xFF : 'x';
        int second = bytes.length > 1 ? bytes[1] & 0xFF : 'x';
        if (first == 0xEF && second == 0xBB) {
            throw in.fault(0, "the text begins with a byte order mark; send UTF-8 without one");
        }
        boolean utf16 =
                first == 0 || second == 0 || (first == 0xFE && second == 0xFF) || (first == 0xFF && second == 0xFE);
        if (utf16) {
            throw in.fault(0, "the text looks like UTF-16 or UTF-32; JSON is UTF-8");
        }
    }

    /** The refusal where a value should begin and none does. */
    static JsonSyntaxException noValue(JsonInput in) {
        int next = in.peek();
        String hint = switch (next) {
            case '\'' -> ": strings are in double quotes";
            case '/', '#' -> ": JSON has no comments";
            case '+' -> ": a number has no '+' sign";
            case '.' -> ": a number has a digit before the '.'";
            case ',' -> ": a value is missing before it";
            default -> word(in);
        };
        return in.fault(in.at, "expected a value, found " + in.found(in.at) + hint);
    }

    private static String word(JsonInput in) {
        int next = in.peek();
        boolean letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
        return letter ? ": the only words are true, false and null; other text is a string in double quotes" : "";
    }

    /** The text in double quotes, cut if long, its control characters made visible. */
    static String quoted(String text) {
        int length = cutAt(text);
        StringBuilder shown = new StringBuilder().append('"');
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                shown.append(String.format("\\u%04x", (int) c));
            } else {
                shown.append(c);
            }
        }
        return shown.append(length < text.length() ? "…\"" : "\"").toString();
    }

    /** The text, cut if long. */
    static String cut(String text) {
        int length = cutAt(text);
        return length == text.length() ? text : text.substring(0, length) + "…";
    }

    /** How much of the text is shown; never half of a surrogate pair, since messages become JSON themselves. */
    private static int cutAt(String text) {
        if (text.length() <= LONGEST_QUOTE) {
            return text.length();
        }
        return Character.isHighSurrogate(text.charAt(LONGEST_QUOTE - 1)) ? LONGEST_QUOTE - 1 : LONGEST_QUOTE;
    }
}
