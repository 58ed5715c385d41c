package dev.flowstone.engine.workflow;

import static java.util.Objects.requireNonNull;

/**
 * One thing that is wrong with a definition, for its author.
 *
 * @param code stable, upper case
 * @param pointer JSON pointer (RFC 6901) to the value at fault; empty for the whole document
 * @param line of that value in the source as it was sent, from 1
 * @param column of the same, from 1
 * @param message what is wrong, in one sentence
 * @param remedy what to do about it, in one sentence
 */
public record DefinitionFault(String code, String pointer, int line, int column, String message, String remedy) {
    public DefinitionFault {
        requireNonNull(code);
        requireNonNull(pointer);
        requireNonNull(message);
        requireNonNull(remedy);
    }
}
