package dev.flowstone.connectors.credential;

import dev.flowstone.action.Credential;
import dev.flowstone.action.CredentialProvider;
import dev.flowstone.action.CredentialRequest;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One token for each connector, whoever asks: {@code CONNECTOR_ID_TOKEN}, with {@code _} for {@code -}. An empty one is none. */
public final class EnvironmentCredentials implements CredentialProvider {
    private final Map<String, String> variables;

    public EnvironmentCredentials(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
    }

    @Override
    public Optional<Credential> find(CredentialRequest request) {
        return Optional.ofNullable(variables.get(variable(request.connectorId())))
                .map(String::strip)
                .filter(token -> !token.isEmpty())
                .map(Credential::new);
    }

    /** By which a connector's token is found. */
    public static String variable(String connectorId) {
        return "CONNECTOR_" + connectorId.toUpperCase(Locale.ROOT).replace('-', '_') + "_TOKEN";
    }
}
