package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonString;
import java.util.Set;

/**
 * Somebody who may be asked: a person, or whoever has a role.
 *
 * @param id of the user, or the role's name; 1 to {@value #MAX_LENGTH} characters
 */
public record Party(Kind kind, String id) {
    public static final int MAX_LENGTH = 200;

    public Party {
        requireNonNull(kind);
        // Making a JSON text of it refuses what has no UTF-8 form.
        if (new JsonString(id).value().isEmpty() || id.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "a party's id has 1 to " + MAX_LENGTH + " characters, not " + id.length());
        }
    }

    public static Party user(String id) {
        return new Party(Kind.USER, id);
    }

    public static Party role(String name) {
        return new Party(Kind.ROLE, name);
    }

    /** Reads {@code user:id} or {@code role:name}. */
    public static Party parse(String text) {
        int colon = text.indexOf(':');
        for (Kind kind : Kind.values()) {
            if (colon > 0 && kind.word.equals(text.substring(0, colon))) {
                return new Party(kind, text.substring(colon + 1));
            }
        }
        throw new IllegalArgumentException("a party is written user:id or role:name, not " + text);
    }

    /** Whether this is the actor, or a role that the actor has. */
    public boolean covers(Actor actor, Set<String> roles) {
        return switch (kind) {
            case USER -> actor.kind().equals(kind.word) && actor.id().equals(id);
            case ROLE -> roles.contains(id);
        };
    }

    @Override
    public String toString() {
        return kind.word + ":" + id;
    }

    /** What a party is. */
    public enum Kind {
        USER("user"),
        ROLE("role");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }
}
