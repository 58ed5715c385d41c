package dev.flowstone.connectors.registry;

import dev.flowstone.kernel.json.JsonObject;
import java.lang.System.Logger.Level;
import java.util.Optional;

/** What comes of a schema that an action gives, and that can't be used (dataflow.md §10.4). */
public enum SchemaRule {
    /** Its connector is refused. */
    REFUSE,
    /** The log warns of it, and it counts as not given. */
    WARN;

    private static final System.Logger LOG = System.getLogger(SchemaRule.class.getName());

    /** @throws IllegalArgumentException if it can't be used, and that isn't let pass */
    Optional<JsonObject> read(String action, Optional<String> given, String what) {
        try {
            return given.map(text -> GivenSchema.read(text, what));
        } catch (IllegalArgumentException e) {
            if (this == REFUSE) {
                throw e;
            }
            LOG.log(Level.WARNING, "the action " + action + " goes without this: " + e.getMessage());
            return Optional.empty();
        }
    }
}
