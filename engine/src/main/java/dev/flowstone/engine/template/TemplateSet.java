package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import java.time.Instant;

/**
 * A set of document templates.
 *
 * @param shared whether every tenant may use it
 * @param enabled whether its templates are rendered
 * @param revision counts its changes, from 1; those of its templates aren't among them
 */
public record TemplateSet(
        TemplateSetId id,
        boolean shared,
        String displayName,
        String team,
        boolean enabled,
        long revision,
        Mark created,
        Mark changed) {
    public TemplateSet {
        requireNonNull(id);
        requireNonNull(displayName);
        requireNonNull(team);
        requireNonNull(created);
        requireNonNull(changed);
    }

    /** When and by whom. */
    public record Mark(Instant at, Actor by) {
        public Mark {
            requireNonNull(at);
            requireNonNull(by);
        }
    }
}
