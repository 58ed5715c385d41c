package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.payload.Payload;

/**
 * Something outside that a task has made, or found, and that there is once in a tenant: an order at a supplier's, a folder
 * (R20).
 *
 * @param type with the key, its name in the tenant
 * @param content what others need to know of it
 */
public record ResourceLink(String type, String key, Payload content) {
    /** In one answer. */
    public static final int MOST = 100;

    private static final int LENGTH = 200;

    public ResourceLink {
        requireNonNull(content);
        if (type.isEmpty() || type.length() > LENGTH || key.isEmpty() || key.length() > LENGTH) {
            throw new IllegalArgumentException("a link's type and key have 1 to " + LENGTH + " characters");
        }
    }
}
