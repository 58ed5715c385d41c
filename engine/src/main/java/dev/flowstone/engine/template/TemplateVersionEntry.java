package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A version in a list: without its body and form, which would make a page as large as a hundred of them.
 *
 * @param shared whether its set is everybody's
 * @param version from 1
 * @param off when and by whom it was turned off, if it is
 * @param setEnabled whether its set isn't off
 */
public record TemplateVersionEntry(
        TemplateName name,
        boolean shared,
        int version,
        String displayName,
        TemplateFormat format,
        Optional<TemplateSet.Mark> off,
        boolean setEnabled,
        TemplateSet.Mark created) {
    public TemplateVersionEntry {
        requireNonNull(name);
        requireNonNull(displayName);
        requireNonNull(format);
        requireNonNull(off);
        requireNonNull(created);
    }
}
