package dev.flowstone.server.help;

import static java.util.Objects.requireNonNull;

/**
 * What is said of a code.
 *
 * @param code as it is told; families have one for all of them, {@code HTTP_nnn}
 * @param group what it is a code of, for people
 * @param brief in one sentence, without marks
 * @param text all of it, as Markdown
 */
public record Explanation(String code, String group, String brief, String text) {
    public Explanation {
        requireNonNull(code);
        requireNonNull(group);
        requireNonNull(brief);
        requireNonNull(text);
    }
}
