package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * What a connector is (dataflow.md §3.5). Made by {@link #of}.
 */
public final class ConnectorSpec {
    private final String id;
    private final ActionVersion version;
    private final String displayName;
    private final String description;
    private final Optional<String> iconUrl;
    private final Optional<String> documentationUrl;
    private final boolean enabled;
    private final boolean requiresAuth;
    private final Optional<String> authType;
    private final Optional<String> configSchema;
    private final List<String> capabilities;

    private ConnectorSpec(Builder builder) {
        this.id = builder.id;
        this.version = builder.version;
        this.displayName = builder.displayName;
        this.description = builder.description;
        this.iconUrl = builder.iconUrl;
        this.documentationUrl = builder.documentationUrl;
        this.enabled = builder.enabled;
        this.requiresAuth = builder.requiresAuth;
        this.authType = builder.authType;
        this.configSchema = builder.configSchema;
        this.capabilities = builder.capabilities;
    }

    /** Lower-case letters, digits and hyphens; the part of its actions' ids before the first dot. */
    public String id() {
        return id;
    }

    public ActionVersion version() {
        return version;
    }

    public String displayName() {
        return displayName;
    }

    public String description() {
        return description;
    }

    public Optional<String> iconUrl() {
        return iconUrl;
    }

    public Optional<String> documentationUrl() {
        return documentationUrl;
    }

    /** False takes all its actions away from new versions of workflows; those that are published go on. */
    public boolean enabled() {
        return enabled;
    }

    public boolean requiresAuth() {
        return requiresAuth;
    }

    /** Such as {@code ApiKey}, {@code OAuth2}, {@code Basic}. */
    public Optional<String> authType() {
        return authType;
    }

    /** JSON Schema as text. */
    public Optional<String> configSchema() {
        return configSchema;
    }

    public List<String> capabilities() {
        return capabilities;
    }

    /** Enabled, and needs a credential, as long as nothing else is said. */
    public static Builder of(String id, String version, String displayName, String description) {
        return new Builder(id, ActionVersion.parse(version), displayName, description);
    }

    /** Gathers what is to be said. */
    public static final class Builder {
        private final String id;
        private final ActionVersion version;
        private final String displayName;
        private final String description;
        private Optional<String> iconUrl = Optional.empty();
        private Optional<String> documentationUrl = Optional.empty();
        private boolean enabled = true;
        private boolean requiresAuth = true;
        private Optional<String> authType = Optional.empty();
        private Optional<String> configSchema = Optional.empty();
        private List<String> capabilities = List.of();

        private Builder(String id, ActionVersion version, String displayName, String description) {
            this.id = requireNonNull(id);
            this.version = version;
            this.displayName = requireNonNull(displayName);
            this.description = requireNonNull(description);
        }

        /** Its actions need no credential. */
        public Builder withoutAuth() {
            requiresAuth = false;
            return this;
        }

        /** How it proves who it is, such as {@code ApiKey}. */
        public Builder auth(String type) {
            authType = Optional.of(type);
            return this;
        }

        /** Where people see what it looks like. */
        public Builder icon(String url) {
            iconUrl = Optional.of(url);
            return this;
        }

        /** Where people read how it is used. */
        public Builder documentation(String url) {
            documentationUrl = Optional.of(url);
            return this;
        }

        /**
         * JSON Schema as text, of an object: what may be set for it. The node doesn't start with what doesn't fit;
         * {@link ActionContext#config} has it.
         */
        public Builder configSchema(String schema) {
            configSchema = Optional.of(schema);
            return this;
        }

        public Builder capabilities(String... words) {
            capabilities = List.of(words);
            return this;
        }

        /** None of its actions for new versions of workflows. */
        public Builder disabled() {
            enabled = false;
            return this;
        }

        public ConnectorSpec build() {
            return new ConnectorSpec(this);
        }
    }
}
