package dev.flowstone.server.cli;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.config.ConfigException;
import dev.flowstone.server.config.FlowstoneConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which database, which tenant, which settings: what all commands that open a database share. */
final class StoreOptions {
    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--tenant",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "Whose workflows and runs (default: ${DEFAULT-VALUE}).")
    private String tenant = "default";

    @Mixin
    private SettingOptions settings = new SettingOptions();

    TenantId tenant() throws UsageException {
        try {
            return new TenantId(tenant);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--tenant: " + e.getMessage());
        }
    }

    FlowstoneConfig config() throws ConfigException, UsageException {
        return config(Map.of());
    }

    /** With the flags of the command's own. */
    FlowstoneConfig config(Map<String, String> own) throws ConfigException, UsageException {
        Map<String, String> flags = new LinkedHashMap<>(own);
        flags.putAll(database.flags());
        return settings.config(flags);
    }

    /** How to name the same database in another call; begins with a space unless it is the default one. */
    String again() {
        StringBuilder words = new StringBuilder(database.again());
        words.append(settings.again());
        if (!tenant.equals("default")) {
            words.append(" --tenant ").append(Hints.word(tenant));
        }
        return words.toString();
    }
}
