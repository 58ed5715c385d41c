package dev.flowstone.server.config;

import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.schema.RoleNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Which PostgreSQL, and how it is asked. */
final class DatabaseSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    /** The launcher of an installed Flowstone names another folder. */
    private static final String DATA_FOLDER = System.getProperty("flowstone.data", ".flowstone");

    static final Setting<String> DATA =
            GROUP.add(Setting.text("database.data", DATA_FOLDER, "folder of the embedded PostgreSQL"));
    static final Setting<String> URL = GROUP.add(Setting.text(
            "database.url", "", "JDBC URL of another PostgreSQL 15 or newer, instead of the embedded one"));
    static final Setting<String> USER =
            GROUP.add(Setting.text("database.user", "postgres", "its user that may create roles and a schema"));
    static final Setting<String> PASSWORD = GROUP.add(Setting.secret("database.password", "that user's password"));
    /** Each loop waits for its commit now and then, and more of them than that are in each other's way. */
    static final Setting<Integer> SHARDS = GROUP.add(
            Setting.number(
                    "database.shards",
                    Math.clamp(Runtime.getRuntime().availableProcessors() + 1L, 3, 8),
                    1,
                    "loops that a new database is cut for, by default one more than this machine has processors, from 3 to 8; at least one for each node; fixed afterwards"));

    static final Setting<Integer> ENGINE_CONNECTIONS =
            GROUP.add(Setting.number("database.engineConnections", 8, 1, "connections of the engine"));
    static final Setting<Integer> API_CONNECTIONS = GROUP.add(Setting.number(
            "database.apiConnections", 8, 1, "connections of readers; half of them, at most, of transactional tasks"));
    static final Setting<RoleNames> ROLES = GROUP.add(new Setting<>(
            "database.rolePrefix",
            "a name of a-z, 0-9 and _",
            "flowstone",
            "begins its roles' names; two Flowstones on one server need two",
            false,
            RoleNames::withPrefix));
    static final Setting<Boolean> PREPARE = GROUP.add(Setting.flag(
            "database.prepare",
            true,
            "whether statements stay prepared; false behind a pooling proxy that forgets them"));
    static final Setting<Duration> SOCKET_TIMEOUT = GROUP.add(
            Setting.time(
                    "database.socketTimeout",
                    PostgresConfig.SOCKET_TIMEOUT,
                    "after which the engine gives up a connection on which nothing came back; more than the 10 s of a wait for a lock"));

    private DatabaseSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static FlowstoneConfig.Database of(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Database(
                Path.of(sources.value(DATA)),
                Optional.of(sources.value(URL)).filter(it -> !it.isBlank()),
                sources.value(USER),
                sources.value(PASSWORD),
                sources.value(SHARDS),
                sources.value(ENGINE_CONNECTIONS),
                sources.value(API_CONNECTIONS),
                sources.value(ROLES),
                sources.value(PREPARE),
                sources.value(SOCKET_TIMEOUT));
    }
}
