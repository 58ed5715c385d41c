package dev.flowstone.engine.workflow;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * One thing that is wrong with a definition, for its author.
 *
 * @param code stable, upper case
 * @param pointer JSON pointer (RFC 6901) to the value at fault; empty for the whole document
 * @param line of that value in the source as it was sent, from 1
 * @param column of the same, from 1
 * @param message what is wrong, in one sentence
 * @param remedy what to do about it, in one sentence
 * @param missingAction the action that the definition names and nobody offers, if that is the fault
 */
public record DefinitionFault(
        String code,
        String pointer,
        int line,
        int column,
        String message,
        String remedy,
        Optional<String> missingAction) {
    public DefinitionFault(String code, String pointer, int line, int column, String message, String remedy) {
        this(code, pointer, line, column, message, remedy, Optional.empty());
    }

    public DefinitionFault {
        requireNonNull(code);
        requireNonNull(pointer);
        requireNonNull(message);
        requireNonNull(remedy);
        requireNonNull(missingAction);
    }
}
