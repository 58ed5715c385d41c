package dev.flowstone.engine.template;

import java.util.Arrays;
import java.util.Locale;

/** What a template's body is, which decides how values are put into it. */
public enum TemplateFormat {
    /** As they are: plain text, Markdown. */
    TEXT,
    /** With what has a meaning in HTML escaped. */
    HTML;

    /** In the API and in rows. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The one of this word.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static TemplateFormat of(String word) {
        return Arrays.stream(values())
                .filter(format -> format.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a format is text or html"));
    }
}
