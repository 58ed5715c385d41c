package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

/** The feed doesn't go back as far as somebody wants to. */
public final class CursorGoneException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String oldest;

    CursorGoneException(String oldest) {
        super("the feed does not go back as far as that");
        this.oldest = requireNonNull(oldest);
    }

    /** The cursor that is furthest back. */
    public String oldest() {
        return oldest;
    }
}
