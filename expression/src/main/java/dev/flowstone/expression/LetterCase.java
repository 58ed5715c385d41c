package dev.flowstone.expression;

import java.util.Locale;

/**
 * Upper and lower case in linear time. The platform's own takes quadratic time over characters that become several, and
 * looks for word boundaries at every sigma: a minute for some texts of 300,000 characters. So it gets short pieces for
 * upper case, where no character depends on its neighbours, and no such characters for lower case.
 */
final class LetterCase {
    private static final int PIECE_CHARS = 32;
    private static final char SIGMA = 'Σ';

    /** The one character whose lower case is two: i with a combining dot. */
    private static final char DOTTED_I = 'İ';

    private LetterCase() {}

    static String upper(String text, Meter meter) {
        MeteredText mapped = new MeteredText(meter);
        int from = 0;
        while (from < text.length()) {
            int end = Math.min(from + PIECE_CHARS, text.length());
            int to = Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
            mapped.append(text.substring(from, to).toUpperCase(Locale.ROOT));
            from = to;
        }
        return mapped.toString();
    }

    static String lower(String text, Meter meter) {
        meter.text(text.length());
        if (text.indexOf(SIGMA) < 0 && text.indexOf(DOTTED_I) < 0) {
            return text.toLowerCase(Locale.ROOT);
        }
        MeteredText mapped = new MeteredText(meter);
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            switch (next) {
                case DOTTED_I -> mapped.append('i').append('\u0307');
                case SIGMA -> mapped.append(isFinal(text, i) ? 'ς' : 'σ');
                default -> mapped.append(next);
            }
        }
        return mapped.toString().toLowerCase(Locale.ROOT);
    }

    /** Unicode's Final_Sigma: a letter with case before it, none after it, whatever combines with them left aside. */
    private static boolean isFinal(String text, int sigma) {
        int before = sigma;
        while (before > 0 && isCaseIgnorable(text.codePointBefore(before))) {
            before -= Character.charCount(text.codePointBefore(before));
        }
        if (before == 0 || !isCased(text.codePointBefore(before))) {
            return false;
        }
        int after = sigma + 1;
        while (after < text.length() && isCaseIgnorable(text.codePointAt(after))) {
            after += Character.charCount(text.codePointAt(after));
        }
        return after == text.length() || !isCased(text.codePointAt(after));
    }

    private static boolean isCased(int character) {
        return Character.isUpperCase(character) || Character.isLowerCase(character) || Character.isTitleCase(character);
    }

    private static boolean isCaseIgnorable(int character) {
        return switch (character) {
            case '\'', '.', ':', '·', '’' -> true;
            default ->
                switch (Character.getType(character)) {
                    case Character.NON_SPACING_MARK,
                            Character.ENCLOSING_MARK,
                            Character.FORMAT,
                            Character.MODIFIER_LETTER,
                            Character.MODIFIER_SYMBOL -> true;
                    default -> false;
                };
        };
    }
}
