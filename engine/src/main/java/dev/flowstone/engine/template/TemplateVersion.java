package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A version of a template. Nothing of it ever changes but whether it may be used.
 *
 * @param shared whether its set is everybody's
 * @param version from 1
 * @param off when and by whom it was turned off, if it is
 * @param setEnabled whether its set isn't off
 */
public record TemplateVersion(
        TemplateName name,
        boolean shared,
        int version,
        TemplateDraft draft,
        Optional<TemplateSet.Mark> off,
        boolean setEnabled,
        TemplateSet.Mark created) {
    public TemplateVersion {
        requireNonNull(name);
        requireNonNull(draft);
        requireNonNull(off);
        requireNonNull(created);
    }

    /** Whether it may be rendered as far as it goes: it isn't off itself. */
    public boolean enabled() {
        return off.isEmpty();
    }
}
