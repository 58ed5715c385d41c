package dev.flowstone.postgres;

import dev.flowstone.postgres.schema.RoleNames;
import java.util.Optional;

/**
 * How to reach a database and how to share it out.
 *
 * @param url {@code jdbc:postgresql://host:port/database}, with the driver's parameters if need be (TLS), without user and
 *     password
 * @param admin a user that may create roles and a schema; used for migrations and passwords at start, never afterwards
 * @param roles names of the roles that the migrations create
 * @param enginePassword of the engine's role; derived from the admin's password if empty
 * @param apiPassword of the API's role; likewise
 * @param shards into how many shards the slots are cut when the database is new; ignored afterwards
 * @param engineConnections at most, for the shards' loops; one is enough for progress
 * @param apiConnections at most, for readers, and up to half of them for transactional tasks; one is enough for progress
 * @param prepare whether the server keeps statements prepared; false behind a transaction-pooling proxy that doesn't follow
 *     prepared statements (PgBouncer before 1.21)
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
        boolean prepare) {
    public PostgresConfig {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("a database URL begins with jdbc:postgresql:, not " + url);
        }
        if (shards < 1 || shards > 4096 || engineConnections < 1 || apiConnections < 1) {
            throw new IllegalArgumentException("1 to 4096 shards and at least one connection of each kind");
        }
    }

    /** Two shards, eight connections for each role: what a small machine is best at. */
    public static PostgresConfig of(String url, Login admin) {
        return new PostgresConfig(url, admin, RoleNames.DEFAULT, Optional.empty(), Optional.empty(), 2, 8, 8, true);
    }

    /** How many transactional tasks may be under way at once in a node: what others ask must not wait for handlers. */
    int transactions() {
        return Math.max(1, apiConnections / 2);
    }

    /** Another database of the same server. */
    public PostgresConfig withDatabase(String name) {
        String moved = url.replaceFirst("^(jdbc:postgresql:(?://[^/?]*/)?)[^?]*", "$1" + name);
        return new PostgresConfig(
                moved, admin, roles, enginePassword, apiPassword, shards, engineConnections, apiConnections, prepare);
    }

    public PostgresConfig withShards(int count) {
        return new PostgresConfig(
                url, admin, roles, enginePassword, apiPassword, count, engineConnections, apiConnections, prepare);
    }

    public PostgresConfig withConnections(int engine, int api) {
        return new PostgresConfig(url, admin, roles, enginePassword, apiPassword, shards, engine, api, prepare);
    }

    public PostgresConfig withRoles(RoleNames names) {
        return new PostgresConfig(
                url, admin, names, enginePassword, apiPassword, shards, engineConnections, apiConnections, prepare);
    }

    public PostgresConfig withPasswords(String engine, String api) {
        return new PostgresConfig(
                url,
                admin,
                roles,
                Optional.of(engine),
                Optional.of(api),
                shards,
                engineConnections,
                apiConnections,
                prepare);
    }

    public PostgresConfig withoutPreparedStatements() {
        return new PostgresConfig(
                url, admin, roles, enginePassword, apiPassword, shards, engineConnections, apiConnections, false);
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
        return url.replaceAll("(?i)(password=)[^&]*", "$1***");
    }

    @Override
    public String toString() {
        return "PostgresConfig[" + shownUrl() + ", " + admin + ", " + roles + ", shards=" + shards + "]";
    }
}
