package dev.flowstone.postgres.schema;

/**
 * The three roles' names. Roles belong to a whole server: two independent Flowstones on one server need two prefixes.
 *
 * @param owner owns the schema; nobody logs in as it
 * @param engine the journal's tables
 * @param api one tenant in each transaction
 */
public record RoleNames(String owner, String engine, String api) {
    public static final RoleNames DEFAULT = withPrefix("flowstone");

    public static RoleNames withPrefix(String prefix) {
        if (!prefix.matches("[a-z][a-z0-9_]{0,40}")) {
            throw new IllegalArgumentException(
                    "a role prefix is lower-case letters, digits and underscores, not '" + prefix + "'");
        }
        return new RoleNames(prefix + "_owner", prefix + "_engine", prefix + "_api");
    }
}
