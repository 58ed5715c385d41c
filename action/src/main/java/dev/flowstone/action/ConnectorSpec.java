package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * What a connector is (dataflow.md §3.5). Made by {@link #of}.
 *
 * @param id lower-case letters, digits and hyphens; the part of its actions' ids before the first dot
 * @param enabled false takes all its actions away from new versions of workflows; those that are published go on
 * @param authType such as {@code ApiKey}, {@code OAuth2}, {@code Basic}
 * @param configSchema JSON Schema as text
 */
public record ConnectorSpec(
        String id,
        ActionVersion version,
        String displayName,
        String description,
        Optional<String> iconUrl,
        Optional<String> documentationUrl,
        boolean enabled,
        boolean requiresAuth,
        Optional<String> authType,
        Optional<String> configSchema,
        List<String> capabilities) {
    public ConnectorSpec {
        requireNonNull(id);
        requireNonNull(version);
        requireNonNull(displayName);
        requireNonNull(description);
        requireNonNull(iconUrl);
        requireNonNull(documentationUrl);
        requireNonNull(authType);
        requireNonNull(configSchema);
        capabilities = List.copyOf(capabilities);
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

        /** JSON Schema as text. */
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
            return new ConnectorSpec(
                    id,
                    version,
                    displayName,
                    description,
                    iconUrl,
                    documentationUrl,
                    enabled,
                    requiresAuth,
                    authType,
                    configSchema,
                    capabilities);
        }
    }
}
