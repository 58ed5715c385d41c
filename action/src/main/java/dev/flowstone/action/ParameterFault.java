package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

/**
 * One thing wrong with an action's parameters.
 *
 * @param path JSON pointer (RFC 6901) from the parameters' root, such as {@code /recipients/0}; empty for all of them
 * @param message what is wrong and what to do, without the value
 */
public record ParameterFault(String path, String message) {
    public ParameterFault {
        requireNonNull(message);
        if (!path.isEmpty() && path.charAt(0) != '/') {
            throw new IllegalArgumentException("a JSON pointer is empty or begins with '/': '" + path + "'");
        }
    }
}
