package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

/**
 * A version of a template. Nothing of it ever changes but whether it may be used.
 *
 * @param shared whether its set is everybody's
 * @param version from 1
 * @param enabled whether it may be rendered: it isn't off
 * @param setEnabled whether its set isn't off either
 */
public record TemplateVersion(
        TemplateName name,
        boolean shared,
        int version,
        TemplateDraft draft,
        boolean enabled,
        boolean setEnabled,
        TemplateSet.Mark created) {
    public TemplateVersion {
        requireNonNull(name);
        requireNonNull(draft);
        requireNonNull(created);
    }
}
