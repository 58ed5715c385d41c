package dev.flowstone.connectors.secret;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;

/**
 * How a character is written where it can't stand as it is: a percent sign and two digits for each byte in URLs, with a plus for a
 * space; a backslash before it, or before {@code u} and four digits, in JSON; a name or a number behind an ampersand in HTML. Digits in
 * either case; JSON and URLs also where they stand in others of their kind.
 */
final class Escapes {
    private static final int HEX = 16;
    private static final int DECIMAL = 10;
    private static final int DIGITS = 4;
    private static final int LONGEST_ENTITY = 12;

    /** So often is an escape escaped, at most; and so many backslashes stand before a character. */
    private static final int DEEPEST = 8;

    private static final Map<Integer, String> ENTITIES = Map.of(
            (int) '"', "&quot;",
            (int) '&', "&amp;",
            (int) '<', "&lt;",
            (int) '>', "&gt;",
            (int) '\'', "&apos;");
    private static final Map<Integer, String> LETTERS =
            Map.of((int) '\n', "n", (int) '\r', "r", (int) '\t', "t", (int) '\b', "b", (int) '\f', "f");

    private Escapes() {}

    /** Where the character ends that is written there, or -1 if it isn't, or stands as it is. */
    static int end(String text, int at, int codePoint) {
        if (at >= text.length()) {
            return -1;
        }
        return switch (text.charAt(at)) {
            case '+' -> codePoint == ' ' ? at + 1 : -1;
            case '%' -> percent(text, at, codePoint);
            case '\\' -> json(text, at, codePoint);
            case '&' -> html(text, at, codePoint);
            default -> -1;
        };
    }

    /** Whether one may begin with that. */
    static boolean mayBegin(char first) {
        return first == '+' || first == '%' || first == '\\' || first == '&';
    }

    /** Whether the text ends within one. */
    static boolean isBegun(String text, int at) {
        return switch (text.charAt(at)) {
            case '%' -> text.length() - at < "%25".length() || isBegunPercent(text, at);
            case '\\' -> text.length() - behind(text, at, '\\') <= DIGITS;
            case '&' -> text.length() - at < LONGEST_ENTITY && semicolon(text, at) < 0;
            default -> false;
        };
    }

    private static boolean isBegunPercent(String text, int at) {
        int digits = at + 1;
        while (digits - at < 2 * DEEPEST && text.startsWith("25", digits)) {
            digits += 2;
        }
        return text.length() - digits < 2;
    }

    private static int percent(String text, int at, int codePoint) {
        int place = at;
        for (byte wanted : Character.toString(codePoint).getBytes(UTF_8)) {
            if (place >= text.length() || text.charAt(place) != '%') {
                return -1;
            }
            int digits = place + 1;
            // A percent sign that was encoded again.
            while (wanted != '%' && digits - place < 2 * DEEPEST && text.startsWith("25", digits)) {
                digits += 2;
            }
            if (number(text, digits, digits + 2, HEX) != (wanted & 0xff)) {
                return -1;
            }
            place = digits + 2;
        }
        return place;
    }

    private static int json(String text, int at, int codePoint) {
        int letter = behind(text, at, '\\');
        if (codePoint == '\\') {
            // Half of them are those of whoever wrote the others.
            return letter - at > 1 ? at + 2 : -1;
        }
        String named = LETTERS.get(codePoint);
        if (named != null && text.startsWith(named, letter)) {
            return letter + 1;
        }
        if (letter < text.length() && text.codePointAt(letter) == codePoint) {
            return letter + Character.charCount(codePoint);
        }
        int place = letter;
        for (char wanted : Character.toChars(codePoint)) {
            if (place > letter) {
                place = behind(text, place, '\\');
            }
            if (!text.startsWith("u", place) || number(text, place + 1, place + 1 + DIGITS, HEX) != wanted) {
                return -1;
            }
            place += 1 + DIGITS;
        }
        return place;
    }

    private static int html(String text, int at, int codePoint) {
        String entity = ENTITIES.get(codePoint);
        if (entity != null && text.startsWith(entity, at)) {
            return at + entity.length();
        }
        int end = semicolon(text, at);
        if (end < 0 || !text.startsWith("#", at + 1)) {
            return -1;
        }
        boolean hex = text.regionMatches(true, at + 2, "x", 0, 1);
        return number(text, hex ? at + 3 : at + 2, end, hex ? HEX : DECIMAL) == codePoint ? end + 1 : -1;
    }

    /** The end of an entity, or -1. */
    private static int semicolon(String text, int at) {
        return text.indexOf(';', at, Math.min(text.length(), at + LONGEST_ENTITY));
    }

    private static int behind(String text, int at, char which) {
        int place = at;
        while (place - at < DEEPEST && place < text.length() && text.charAt(place) == which) {
            place++;
        }
        return place;
    }

    /** What digits say, or -1 if there are none, or other characters among them. */
    private static int number(String text, int from, int to, int radix) {
        if (from >= to || to > text.length()) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = Character.digit(text.charAt(i), radix);
            if (digit < 0) {
                return -1;
            }
            number = number * radix + digit;
        }
        return number;
    }
}
