package dev.flowstone.testkit.scenario.source;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/** The members of an object, each with its place. Of a value that is no object, which was a fault, there are none. */
public final class Members {
    private final Cursor object;
    private final Map<String, Cursor> members;
    private final boolean isObject;

    Members(Cursor object, Map<String, Cursor> members, boolean isObject) {
        this.object = requireNonNull(object);
        this.members = Collections.unmodifiableMap(members);
        this.isObject = isObject;
    }

    /** In the order of the text. */
    public Map<String, Cursor> all() {
        return members;
    }

    public Optional<Cursor> find(String name) {
        return Optional.ofNullable(members.get(name));
    }

    /** A member that must be there. */
    public Optional<Cursor> need(String name) {
        Optional<Cursor> member = find(name);
        if (member.isEmpty() && isObject) {
            object.fault("the key '" + name + "' is missing here");
        }
        return member;
    }

    public boolean isEmpty() {
        return members.isEmpty();
    }
}
