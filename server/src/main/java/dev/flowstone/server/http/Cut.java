package dev.flowstone.server.http;

/** Somebody else's text, as much of it as belongs into a message. */
public final class Cut {
    private static final int LENGTH = 80;

    private Cut() {}

    public static String text(String text) {
        if (text.length() <= LENGTH) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(LENGTH - 1)) ? LENGTH - 1 : LENGTH;
        return text.substring(0, end) + "…";
    }
}
