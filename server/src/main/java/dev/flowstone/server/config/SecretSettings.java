package dev.flowstone.server.config;

import java.util.ArrayList;
import java.util.List;

/** The secrets that workflows may name. */
final class SecretSettings {
    private SecretSettings() {}

    static List<NamedSecret> of(Sources sources) throws ConfigException {
        List<NamedSecret> secrets = new ArrayList<>();
        for (String name : sources.names(Settings.SECRETS)) {
            secrets.add(new NamedSecret(
                    name,
                    sources.value(Settings.SECRET_VALUE.of(name)),
                    sources.value(Settings.SECRET_ORIGINS.of(name)),
                    sources.value(Settings.SECRET_TENANTS.of(name))));
        }
        return secrets;
    }
}
