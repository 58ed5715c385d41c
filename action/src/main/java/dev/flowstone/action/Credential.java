package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

/** A secret that doesn't show itself: neither in a text nor, by accident, in outputs. */
public final class Credential {
    private final String secret;

    /**
     * Of this text.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public Credential(String secret) {
        if (requireNonNull(secret).isEmpty()) {
            throw new IllegalArgumentException("a credential isn't empty");
        }
        this.secret = secret;
    }

    /** The secret itself, to be sent and nothing else. */
    public String reveal() {
        return secret;
    }

    @Override
    public String toString() {
        return "[hidden]";
    }
}
