package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.HandlerName;
import java.util.List;

/**
 * What an action is, for validation, editors and documentation.
 *
 * @param summary one line
 * @param parameters the ones that it reads; others are passed on as they are
 */
public record ActionDescription(HandlerName name, String summary, List<Parameter> parameters) {
    public ActionDescription {
        requireNonNull(name);
        requireNonNull(summary);
        parameters = List.copyOf(parameters);
    }

    /**
     * One parameter.
     *
     * @param note one line: type, meaning, default
     */
    public record Parameter(String name, boolean required, String note) {
        public Parameter {
            requireNonNull(name);
            requireNonNull(note);
        }
    }
}
