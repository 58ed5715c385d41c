package dev.flowstone.server.config;

import dev.flowstone.kernel.id.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The secrets that workflows may name. */
final class SecretSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    /** Secrets have names. */
    static final String FAMILY = "secret";

    static final Setting<String> VALUE = GROUP.add(Setting.secret(
            "secret.NAME.value", "what core.http sends where a workflow names the secret NAME (a-z, 0-9, hyphens)"));
    static final Setting<List<String>> ORIGINS = GROUP.add(new Setting<>(
            "secret.NAME.origins",
            "origins with commas between them",
            "",
            "whom it may be sent to, such as https://api.example.com",
            false,
            text -> NameLists.names(text).toList()));
    static final Setting<Set<TenantId>> TENANTS = GROUP.add(new Setting<>(
            "secret.NAME.tenants",
            "names with commas between them",
            "",
            "whose workflows may name it; all unless some are named",
            false,
            text -> NameLists.names(text).map(TenantId::new).collect(Collectors.toUnmodifiableSet())));

    private SecretSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static List<NamedSecret> of(Sources sources) throws ConfigException {
        List<NamedSecret> secrets = new ArrayList<>();
        for (String name : sources.names(FAMILY)) {
            secrets.add(new NamedSecret(
                    name,
                    sources.value(VALUE.of(name)),
                    sources.value(ORIGINS.of(name)),
                    sources.value(TENANTS.of(name))));
        }
        return secrets;
    }
}
