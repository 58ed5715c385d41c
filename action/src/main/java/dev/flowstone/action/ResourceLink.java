package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A thing outside that there is once in a tenant (dataflow.md §7.4). The first execution that links it owns it.
 *
 * @param system where it is, such as {@code monday}; without a slash
 * @param type what it is there, such as {@code item}. System and type have 199 characters together at most
 * @param id what it is called there; 200 characters at most
 * @param key by which it is looked up, and which it has once in a tenant; its id, unless {@link #foundBy} says otherwise
 * @param url where people look at it
 */
public record ResourceLink(String system, String type, String id, String key, Optional<String> url) {
    private static final int LONGEST = 200;

    public ResourceLink {
        requireNonNull(url);
        if (system.isEmpty() || system.indexOf('/') >= 0 || type.isEmpty() || id.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException(
                    "a link has a system without a slash, a type, an id and a key, none of them empty");
        }
        if (system.length() + type.length() >= LONGEST || id.length() > LONGEST || key.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "a link's system and type have 199 characters together at most, its id and its key 200");
        }
    }

    public static ResourceLink of(String system, String type, String id) {
        return new ResourceLink(system, type, id, id, Optional.empty());
    }

    public static ResourceLink of(String system, String type, String id, String url) {
        return new ResourceLink(system, type, id, id, Optional.of(url));
    }

    /**
     * The same by a name that is known here before the thing is made, such as an order's number: the other side gives it its id only
     * then.
     */
    public ResourceLink foundBy(String ownKey) {
        return new ResourceLink(system, type, id, ownKey, url);
    }
}
