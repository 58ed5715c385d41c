package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * What an action is: for whoever writes workflows, and for the check of what they wrote. Made by {@link #of}.
 */
public final class ActionSpec<P, O> {
    private final String id;
    private final ActionVersion version;
    private final Class<P> parameters;
    private final Class<O> outputs;
    private final String displayName;
    private final String description;
    private final String category;
    private final List<String> tags;
    private final Optional<String> parameterSchema;
    private final Optional<String> outputSchema;
    private final boolean enabled;
    private final Optional<String> deprecation;
    private final Optional<ActionVersion> deprecatedSince;

    private ActionSpec(Builder<P, O> builder) {
        this.id = builder.id;
        this.version = builder.version;
        this.parameters = builder.parameters;
        this.outputs = builder.outputs;
        this.displayName = builder.displayName;
        this.description = builder.description;
        this.category = builder.category;
        this.tags = builder.tags;
        this.parameterSchema = builder.parameterSchema;
        this.outputSchema = builder.outputSchema;
        this.enabled = builder.enabled;
        this.deprecation = builder.deprecation;
        this.deprecatedSince = builder.deprecatedSince;
    }

    /** {@code connector.action}; of version 2 and later {@code connector.action-v2}, so that it stands beside the first. */
    public String id() {
        return id;
    }

    public ActionVersion version() {
        return version;
    }

    /** A record, or {@code JsonNode}. */
    public Class<P> parameters() {
        return parameters;
    }

    /** A record, or anything that Jackson writes. */
    public Class<O> outputs() {
        return outputs;
    }

    public String displayName() {
        return displayName;
    }

    public String description() {
        return description;
    }

    public String category() {
        return category;
    }

    public List<String> tags() {
        return tags;
    }

    /**
     * JSON Schema (draft-07 if it names none) as text, checked besides what the record demands; else the
     * record's own is shown.
     */
    public Optional<String> parameterSchema() {
        return parameterSchema;
    }

    /** For editors; derived from the record unless given. */
    public Optional<String> outputSchema() {
        return outputSchema;
    }

    /** False takes it away from new versions of workflows; those that are published go on. */
    public boolean enabled() {
        return enabled;
    }

    /** What to use instead; a workflow that names the action is warned with it. */
    public Optional<String> deprecation() {
        return deprecation;
    }

    /** The version from which on that is so, if it was said. */
    public Optional<ActionVersion> deprecatedSince() {
        return deprecatedSince;
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
        private Optional<ActionVersion> deprecatedSince = Optional.empty();

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
            displayName = requireNonNull(name);
            description = requireNonNull(text);
            return this;
        }

        /** Such as {@code Data}, {@code Communication}, {@code Document}; and words by which it is found. */
        public Builder<P, O> category(String name, String... words) {
            category = requireNonNull(name);
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

        /**
         * The same.
         *
         * @param since the version from which on, {@code MAJOR.MINOR.PATCH}
         */
        public Builder<P, O> deprecated(String notice, String since) {
            deprecatedSince = Optional.of(ActionVersion.parse(since));
            return deprecated(notice);
        }

        public ActionSpec<P, O> build() {
            return new ActionSpec<>(this);
        }
    }
}
