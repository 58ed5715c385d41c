package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/**
 * What a version of a template says; checked by whoever writes it.
 *
 * @param fields of the form that asks for its answers, with the schema that answers have to satisfy
 * @param help for who fills in the form, in Markdown
 */
public record TemplateDraft(
        String displayName, TemplateFormat format, JsonObject fields, String body, Optional<String> help) {
    public TemplateDraft {
        requireNonNull(displayName);
        requireNonNull(format);
        requireNonNull(fields);
        requireNonNull(body);
        requireNonNull(help);
    }
}
