package dev.flowstone.postgres;

import dev.flowstone.postgres.schema.RoleNames;
import java.time.Duration;
import java.util.Optional;

/**
 * How to reach a database and how to share it out.
 *
 * @param url {@code jdbc:postgresql://host:port/database}, with the driver's parameters if need be (TLS), without user and
 *     password; with several hosts, of which one is the primary, {@code //host:port,host:port/} and
 *     {@code targetServerType=primary}
 * @param admin a user that may create roles and a schema; used for migrations and passwords at start, never afterwards
 * @param roles names of the roles that the migrations create
 * @param enginePassword of the engine's role; derived from the admin's password if empty
 * @param apiPassword of the API's role; likewise
 * @param shards into how many shards the slots are cut when the database is new; ignored afterwards
 * @param engineConnections at most, for the shards' loops; one is enough for progress
 * @param apiConnections at most, for readers, and up to half of them for transactional tasks; one is enough for progress
 * @param prepare whether the server keeps statements prepared; false behind a transaction-pooling proxy that doesn't follow
 *     prepared statements (PgBouncer before 1.21)
 * @param socketTimeout after which the engine takes a connection for broken on which nothing came back: a commit's outcome is
 *     unknown then. Longer than the 10 seconds that a commit may wait for a lock, or such waits end so, too
 */
public record PostgresConfig(
        String url,
        Login admin,
        RoleNames roles,
        Optional<String> enginePassword,
        Optional<String> apiPassword,
        int shards,
        int engineConnections,
        int apiConnections,
        boolean prepare,
        Duration socketTimeout) {
    /** Less than two leases, more than a wait for a lock. */
    public static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(15);

    public PostgresConfig {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("a database URL begins with jdbc:postgresql:, not " + shown(url));
        }
        if (hosts(url) > 1 && !url.matches("[^?]*\\?(.*&)?targetServerType=primary(&.*)?")) {
            throw new IllegalArgumentException("a database URL of several hosts says targetServerType=primary, so that"
                    + " nobody is sent to a standby; that is missing in " + shown(url));
        }
        if (shards < 1 || shards > 4096 || engineConnections < 1 || apiConnections < 1) {
            throw new IllegalArgumentException("1 to 4096 shards and at least one connection of each kind");
        }
        if (socketTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a connection is given a second or more to answer");
        }
    }

    private static long hosts(String url) {
        return url.replaceFirst("^jdbc:postgresql:(?://([^/?]*))?.*$", "$1")
                        .chars()
                        .filter(c -> c == ',')
                        .count()
                + 1;
    }

    /** Two shards, eight connections for each role: what a small machine is best at. */
    public static PostgresConfig of(String url, Login admin) {
        return new PostgresConfig(
                url, admin, RoleNames.DEFAULT, Optional.empty(), Optional.empty(), 2, 8, 8, true, SOCKET_TIMEOUT);
    }

    /** How many transactional tasks may be under way at once in a node: what others ask must not wait for handlers. */
    int transactions() {
        return Math.max(1, apiConnections / 2);
    }

    /** Another database of the same server. */
    public PostgresConfig withDatabase(String name) {
        return withUrl(url.replaceFirst("^(jdbc:postgresql:(?://[^/?]*/)?)[^?]*", "$1" + name));
    }

    /** The same database by another way, or another one with the same users. */
    public PostgresConfig withUrl(String other) {
        Copy copy = new Copy(this);
        copy.url = other;
        return copy.made();
    }

    public PostgresConfig withShards(int count) {
        Copy copy = new Copy(this);
        copy.shards = count;
        return copy.made();
    }

    public PostgresConfig withConnections(int engine, int api) {
        Copy copy = new Copy(this);
        copy.engineConnections = engine;
        copy.apiConnections = api;
        return copy.made();
    }

    public PostgresConfig withRoles(RoleNames names) {
        Copy copy = new Copy(this);
        copy.roles = names;
        return copy.made();
    }

    public PostgresConfig withPasswords(String engine, String api) {
        Copy copy = new Copy(this);
        copy.enginePassword = Optional.of(engine);
        copy.apiPassword = Optional.of(api);
        return copy.made();
    }

    public PostgresConfig withoutPreparedStatements() {
        Copy copy = new Copy(this);
        copy.prepare = false;
        return copy.made();
    }

    public PostgresConfig withSocketTimeout(Duration timeout) {
        Copy copy = new Copy(this);
        copy.socketTimeout = timeout;
        return copy.made();
    }

    /** All of it, to be changed in one place. */
    private static final class Copy {
        private final Login admin;
        private String url;
        private RoleNames roles;
        private Optional<String> enginePassword;
        private Optional<String> apiPassword;
        private int shards;
        private int engineConnections;
        private int apiConnections;
        private boolean prepare;
        private Duration socketTimeout;

        Copy(PostgresConfig from) {
            this.admin = from.admin;
            this.url = from.url;
            this.roles = from.roles;
            this.enginePassword = from.enginePassword;
            this.apiPassword = from.apiPassword;
            this.shards = from.shards;
            this.engineConnections = from.engineConnections;
            this.apiConnections = from.apiConnections;
            this.prepare = from.prepare;
            this.socketTimeout = from.socketTimeout;
        }

        PostgresConfig made() {
            return new PostgresConfig(
                    url,
                    admin,
                    roles,
                    enginePassword,
                    apiPassword,
                    shards,
                    engineConnections,
                    apiConnections,
                    prepare,
                    socketTimeout);
        }
    }

    /** A user and its password; prints without it. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return "Login[user=" + user + ", password=***]";
        }
    }

    /** The URL as messages may show it: without a password. */
    String shownUrl() {
        return shown(url);
    }

    private static String shown(String url) {
        return url.replaceAll("(?i)(password=)[^&]*", "$1***");
    }

    @Override
    public String toString() {
        return "PostgresConfig[" + shownUrl() + ", " + admin + ", " + roles + ", shards=" + shards + "]";
    }
}
