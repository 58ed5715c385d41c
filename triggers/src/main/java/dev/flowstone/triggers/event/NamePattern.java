package dev.flowstone.triggers.event;

/** A name, or with a {@code *} at its end all names that begin so. */
public record NamePattern(String text) {
    /** Characters. */
    public static final int LONGEST = 1_024;

    public NamePattern {
        int star = text.indexOf('*');
        if (text.isEmpty() || text.length() > LONGEST || (star >= 0 && star < text.length() - 1)) {
            throw new IllegalArgumentException(
                    "a name of 1 to " + LONGEST + " characters, with a '*' at its end or none at all");
        }
    }

    /** Whether it may stand for several names. */
    public boolean isWide() {
        return text.endsWith("*");
    }

    public boolean matches(String name) {
        return isWide() ? name.startsWith(text.substring(0, text.length() - 1)) : name.equals(text);
    }
}
