package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * What an action is: for whoever writes workflows, and for the check of what they wrote. Made by {@link #of}.
 *
 * @param id {@code connector.action}; of version 2 and later {@code connector.action-v2}, so that it stands beside the first
 * @param parameters a record, or {@code JsonNode}
 * @param outputs a record, or anything that Jackson writes
 * @param parameterSchema JSON Schema (draft-07 if it names none) as text, checked besides what the record demands; else the
 *     record's own is shown
 * @param outputSchema for editors; derived from the record unless given
 * @param enabled false takes it away from new versions of workflows; those that are published go on
 * @param deprecation what to use instead; a workflow that names the action is warned with it
 */
public record ActionSpec<P, O>(
        String id,
        ActionVersion version,
        Class<P> parameters,
        Class<O> outputs,
        String displayName,
        String description,
        String category,
        List<String> tags,
        Optional<String> parameterSchema,
        Optional<String> outputSchema,
        boolean enabled,
        Optional<String> deprecation) {
    public ActionSpec {
        requireNonNull(id);
        requireNonNull(version);
        requireNonNull(parameters);
        requireNonNull(outputs);
        requireNonNull(displayName);
        requireNonNull(description);
        requireNonNull(category);
        tags = List.copyOf(tags);
        requireNonNull(parameterSchema);
        requireNonNull(outputSchema);
        requireNonNull(deprecation);
    }

    /**
     * Of version 1.0.0, enabled, of the category {@code General}, named by its id, as long as nothing else is said.
     *
     * @param outputs the class of {@code O}
     */
    public static <P, O> Builder<P, O> of(String id, Class<P> parameters, Class<O> outputs) {
        return new Builder<>(id, parameters, outputs);
    }

    /** Gathers what is to be said. */
    public static final class Builder<P, O> {
        private final String id;
        private final Class<P> parameters;
        private final Class<O> outputs;
        private ActionVersion version = ActionVersion.FIRST;
        private String displayName;
        private String description = "";
        private String category = "General";
        private List<String> tags = List.of();
        private Optional<String> parameterSchema = Optional.empty();
        private Optional<String> outputSchema = Optional.empty();
        private boolean enabled = true;
        private Optional<String> deprecation = Optional.empty();

        private Builder(String id, Class<P> parameters, Class<O> outputs) {
            this.id = requireNonNull(id);
            this.parameters = requireNonNull(parameters);
            this.outputs = requireNonNull(outputs);
            this.displayName = id;
        }

        /** {@code MAJOR.MINOR.PATCH}. */
        public Builder<P, O> version(String written) {
            version = ActionVersion.parse(written);
            return this;
        }

        /** For people: a name, and what it does in one or two sentences. */
        public Builder<P, O> described(String name, String text) {
            displayName = name;
            description = text;
            return this;
        }

        /** Such as {@code Data}, {@code Communication}, {@code Document}; and words by which it is found. */
        public Builder<P, O> category(String name, String... words) {
            category = name;
            tags = List.of(words);
            return this;
        }

        /** JSON Schema as text. */
        public Builder<P, O> parameterSchema(String schema) {
            parameterSchema = Optional.of(schema);
            return this;
        }

        /** JSON Schema as text. */
        public Builder<P, O> outputSchema(String schema) {
            outputSchema = Optional.of(schema);
            return this;
        }

        /** Not for new versions of workflows any more. */
        public Builder<P, O> disabled() {
            enabled = false;
            return this;
        }

        /**
         * To be left.
         *
         * @param notice what to use instead, and how to move
         */
        public Builder<P, O> deprecated(String notice) {
            deprecation = Optional.of(notice);
            return this;
        }

        public ActionSpec<P, O> build() {
            return new ActionSpec<>(
                    id,
                    version,
                    parameters,
                    outputs,
                    displayName,
                    description,
                    category,
                    tags,
                    parameterSchema,
                    outputSchema,
                    enabled,
                    deprecation);
        }
    }
}
