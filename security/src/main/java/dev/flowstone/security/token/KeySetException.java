package dev.flowstone.security.token;

/** What was given as a set of keys is none that can be used. */
public final class KeySetException extends Exception {
    private static final long serialVersionUID = 1L;

    KeySetException(String message) {
        super(message);
    }
}
