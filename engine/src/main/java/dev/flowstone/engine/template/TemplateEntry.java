package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

import java.util.OptionalInt;

/**
 * A template in a list.
 *
 * @param displayName of its newest version
 * @param latest its newest version
 * @param current the newest version that may be rendered; empty if none may
 */
public record TemplateEntry(
        TemplateName name, boolean shared, String team, String displayName, int latest, OptionalInt current) {
    public TemplateEntry {
        requireNonNull(name);
        requireNonNull(team);
        requireNonNull(displayName);
        requireNonNull(current);
    }
}
