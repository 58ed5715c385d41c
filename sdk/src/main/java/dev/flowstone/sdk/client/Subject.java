package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What an execution is about.
 *
 * @param version of it; an older one than the known one is refused
 * @param exclusive whether no other execution may be about it meanwhile
 */
public record Subject(String kind, String id, long version, boolean exclusive) {
    public Subject {
        requireNonNull(kind);
        requireNonNull(id);
    }

    /** Its first version, alone. */
    public static Subject of(String kind, String id) {
        return new Subject(kind, id, 0, true);
    }

    static Subject read(Tree tree) {
        return new Subject(tree.text("kind"), tree.text("id"), tree.number("version"), tree.flag("exclusive"));
    }

    Body body() {
        return new Body()
                .put("kind", kind)
                .put("id", id)
                .put("version", Optional.of(version))
                .put("exclusive", Optional.of(exclusive));
    }
}
