package dev.flowstone.engine.dead;

import java.util.regex.Pattern;

/**
 * What kind of thing could not be taken up.
 *
 * @param name of lower-case letters, digits and hyphens, 40 at most
 */
public record DeadSource(String name) {
    private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9-]{0,39}");

    /** A message to an execution: a letter of another one, the start of a child among them, or what came by the inbox. */
    public static final DeadSource MESSAGE = new DeadSource("message");

    /** An execution that its shard has set aside. */
    public static final DeadSource EXECUTION = new DeadSource("execution");

    /** A message of the outbox, which stays there. */
    public static final DeadSource EFFECT = new DeadSource("effect");

    public DeadSource {
        if (!FORM.matcher(name).matches()) {
            throw new IllegalArgumentException("a source is named by a-z, 0-9 and hyphens, not '" + name + "'");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
