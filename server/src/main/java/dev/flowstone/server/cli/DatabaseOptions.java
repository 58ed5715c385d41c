package dev.flowstone.server.cli;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which database. */
final class DatabaseOptions {
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

    boolean isNamed() {
        return data != null || url != null;
    }

    /** As settings. */
    Map<String, String> flags() throws UsageException {
        if (data != null && url != null) {
            throw new UsageException("--data and --db exclude each other");
        }
        if (data != null) {
            return Map.of("database.data", data.toString(), "database.url", "");
        }
        return url == null ? Map.of() : Map.of("database.url", url);
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
        return words.toString();
    }
}
