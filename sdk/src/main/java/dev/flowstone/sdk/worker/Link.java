package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

/**
 * A thing outside by its name in the tenant, such as an order at a supplier's.
 *
 * @param content what others need to know of it; whatever Jackson makes JSON of
 */
public record Link(String type, String key, Object content) {
    public Link {
        requireNonNull(type);
        requireNonNull(key);
        requireNonNull(content);
    }
}
