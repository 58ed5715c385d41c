package dev.flowstone.expression;

import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Upper and lower case in linear time. The platform's own takes quadratic time over characters that become several, a
 * minute for 300,000 of them; it is given short pieces, cut at white space where there is any, because whether a sigma is
 * a final one depends on its neighbours.
 */
final class LetterCase {
    private static final int PIECE_CHARS = 256;

    private LetterCase() {}

    static String upper(String text, Meter meter) {
        return mapped(text, piece -> piece.toUpperCase(Locale.ROOT), meter);
    }

    static String lower(String text, Meter meter) {
        return mapped(text, piece -> piece.toLowerCase(Locale.ROOT), meter);
    }

    private static String mapped(String text, UnaryOperator<String> mapping, Meter meter) {
        MeteredText mapped = new MeteredText(meter);
        int from = 0;
        while (from < text.length()) {
            int to = end(text, from);
            mapped.append(mapping.apply(text.substring(from, to)));
            from = to;
        }
        return mapped.toString();
    }

    private static int end(String text, int from) {
        int most = from + PIECE_CHARS;
        if (most >= text.length()) {
            return text.length();
        }
        for (int at = most; at > from; at--) {
            if (JavaScriptSpace.isSpace(text.charAt(at - 1))) {
                return at;
            }
        }
        return Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    }
}
