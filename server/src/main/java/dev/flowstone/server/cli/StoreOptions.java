package dev.flowstone.server.cli;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.config.ConfigException;
import dev.flowstone.server.config.FlowstoneConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which database, which tenant, which settings: what all commands that open a database share. */
final class StoreOptions {
    private static final String PASSWORD = "(?i)([?&]password=)[^&]*";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder of the embedded PostgreSQL (default: .flowstone; installed: docs/install.md).")
    private @Nullable Path data;

    @Option(
            names = "--db",
            paramLabel = "JDBC-URL",
            description =
                    "Another PostgreSQL 15 or newer, jdbc:postgresql://HOST/DATABASE, instead of the embedded one;"
                            + " its user and password: --set database.user=…, FLOWSTONE_DATABASE_PASSWORD.")
    private @Nullable String url;

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
        if (data != null && url != null) {
            throw new UsageException("--data and --db exclude each other");
        }
        if (data != null) {
            flags.put("database.data", data.toString());
            flags.put("database.url", "");
        }
        if (url != null) {
            flags.put("database.url", url);
        }
        return settings.config(flags);
    }

    /** How to name the same database in another call; begins with a space unless it is the default one. */
    String again() {
        StringBuilder words = new StringBuilder();
        if (data != null) {
            words.append(" --data ").append(Hints.word(data.toString()));
        }
        if (url != null) {
            words.append(" --db ").append(Hints.word(url.replaceAll(PASSWORD, "$1…")));
        }
        words.append(settings.again());
        if (!tenant.equals("default")) {
            words.append(" --tenant ").append(Hints.word(tenant));
        }
        return words.toString();
    }
}
