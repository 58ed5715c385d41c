package dev.flowstone.templates.fields;

import static java.util.Objects.requireNonNull;

/**
 * One thing that is wrong with a form, or with answers.
 *
 * @param pointer JSON pointer into the form, or the answers
 */
public record FieldFault(String code, String pointer, String message, String remedy) {
    public FieldFault {
        requireNonNull(code);
        requireNonNull(pointer);
        requireNonNull(message);
        requireNonNull(remedy);
    }
}
