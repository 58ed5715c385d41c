package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.payload.Payload;
import java.util.Locale;

/** Other people's text on a terminal: nothing in it moves the cursor, colours the screen or turns the line around. */
final class Printable {
    private static final int BRIEF = 72;

    private Printable() {}

    static String text(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(point -> safe.appendCodePoint(harmless(point) ? point : '\uFFFD'));
        return safe.toString();
    }

    static String cut(String text, int length) {
        String safe = text(text);
        if (safe.codePointCount(0, safe.length()) <= length) {
            return safe;
        }
        return safe.substring(0, safe.offsetByCodePoints(0, length - 1)) + "…";
    }

    /** A value in brief; one that isn't in the event by its size and hash. */
    static String brief(Payload payload) {
        return switch (payload) {
            case Payload.Inline inline -> cut(CanonicalJson.exactText(inline.value()), BRIEF);
            case Payload.Stored stored ->
                String.format(
                        Locale.ROOT,
                        "(%,d bytes, sha256 %s…)",
                        stored.bytes(),
                        stored.hash().toString().substring(0, 12));
        };
    }

    private static boolean harmless(int point) {
        int type = Character.getType(point);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR
                && type != Character.SURROGATE;
    }
}
