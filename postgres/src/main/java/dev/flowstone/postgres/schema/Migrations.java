package dev.flowstone.postgres.schema;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Brings a database to this release's schema. Runs as a user that may create roles and schemas; the migrations hand
 * everything to the owner role. Where nothing is to be done it costs a few queries: Flyway isn't even loaded.
 *
 * <p>A database that a newer release has been at is left as it is, if that release says that this one can work with it.
 */
public final class Migrations {
    /** The newest migration beside this class: raise it with every new file, as {@code MigrationsTest} demands. */
    public static final int NEWEST = 33;

    private static final String LOCATION = "classpath:dev/flowstone/postgres/schema";
    private static final String APPLIED = """
            SELECT version FROM flowstone.flyway_schema_history WHERE success AND version IS NOT NULL
            ORDER BY installed_rank
            """;
    private static final String STRANGERS = """
            SELECT pg_get_userbyid(relowner) FROM pg_class
            WHERE oid = to_regclass('flowstone.entries') AND pg_get_userbyid(relowner) <> ?
            """;
    private static final String LEAST = "SELECT least FROM flowstone.compatibility";
    private static final System.Logger LOG = System.getLogger(Migrations.class.getName());
    private static final String EXISTS = "SELECT to_regclass('flowstone.flyway_schema_history') IS NOT NULL";

    private final DataSource admin;
    private final RoleNames roles;

    public Migrations(DataSource admin, RoleNames roles) {
        this.admin = admin;
        this.roles = roles;
    }

    /**
     * Makes roles and applies what is missing; safe when several nodes start at once.
     *
     * @throws MigrationException if it can't be done, the schema is of a newer release that this one can't work with, or its
     *     tables are not the owner role's
     */
    public void run() throws SQLException {
        mustBelongToTheOwner();
        List<String> applied = applied();
        List<String> known = upTo(NEWEST);
        if (!applied.isEmpty()) {
            // Those that are to come need the roles. In a new database V1 makes them, and bears nobody beside it.
            new Roles(admin, roles).ensure();
        }
        if (applied.size() > NEWEST && applied.subList(0, NEWEST).equals(known)) {
            accept(applied.getLast());
        } else if (!applied.equals(known)) {
            migrate();
        }
    }

    /** A dump that is restored where the roles aren't gives all to whoever restores it, and no rights to anybody. */
    private void mustBelongToTheOwner() throws SQLException {
        try (Connection connection = admin.getConnection();
                PreparedStatement statement = connection.prepareStatement(STRANGERS)) {
            statement.setString(1, roles.owner());
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    throw new MigrationException(
                            "the tables belong to " + row.getString(1) + ", not to " + roles.owner()
                                    + ": either a dump was restored before the roles were there - make an empty database, the roles"
                                    + " (docs/backup.md), and restore it again - or database.rolePrefix isn't the one that they were"
                                    + " made with");
                }
            }
        }
    }

    private void accept(String newer) throws SQLException {
        int least = least();
        if (least > NEWEST) {
            throw new MigrationException("the database has the schema V" + newer
                    + " of a newer release, with which releases work that know V" + least
                    + "; this one knows V" + NEWEST
                    + ": start a newer one, or restore the backup of before the upgrade");
        }
        LOG.log(
                Level.INFO,
                () -> "the database has the schema V" + newer + " of a newer release; this one knows V" + NEWEST
                        + " and works with it");
    }

    private int least() throws SQLException {
        try (Connection connection = admin.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(LEAST)) {
            row.next();
            return row.getInt(1);
        }
    }

    private List<String> applied() throws SQLException {
        List<String> versions = new ArrayList<>();
        try (Connection connection = admin.getConnection();
                Statement statement = connection.createStatement()) {
            try (ResultSet exists = statement.executeQuery(EXISTS)) {
                if (!exists.next() || !exists.getBoolean(1)) {
                    return List.of();
                }
            }
            try (ResultSet rows = statement.executeQuery(APPLIED)) {
                while (rows.next()) {
                    versions.add(rows.getString(1));
                }
            }
        }
        return versions;
    }

    private static List<String> upTo(int newest) {
        List<String> versions = new ArrayList<>();
        for (int version = 1; version <= newest; version++) {
            versions.add(Integer.toString(version));
        }
        return versions;
    }

    private void migrate() {
        try {
            Flyway.configure(Migrations.class.getClassLoader())
                    .dataSource(admin)
                    .locations(LOCATION)
                    .schemas("flowstone")
                    .createSchemas(true)
                    .placeholders(Map.of("owner", roles.owner(), "engine", roles.engine(), "api", roles.api()))
                    .failOnMissingLocations(true)
                    .validateMigrationNaming(true)
                    .lockRetryCount(-1) // another node's migration may take as long as it takes
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw new MigrationException(
                    "the database could not be brought to this release's schema: " + e.getMessage(), e);
        }
    }

    /**
     * Lets the engine and the API log in with these passwords. The passwords never stand in a log: they are sent as
     * parameters and quoted by the server.
     */
    public void setPasswords(String enginePassword, String apiPassword) throws SQLException {
        try (Connection connection = admin.getConnection()) {
            setPassword(connection, roles.engine(), enginePassword);
            setPassword(connection, roles.api(), apiPassword);
        }
    }

    private static void setPassword(Connection connection, String role, String password) throws SQLException {
        String alter;
        try (PreparedStatement quote =
                connection.prepareStatement("SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', ?::text, ?::text)")) {
            quote.setString(1, role);
            quote.setString(2, Scram.verifier(password));
            try (ResultSet row = quote.executeQuery()) {
                row.next();
                alter = row.getString(1);
            }
        }
        Roles.execute(connection, alter);
    }
}
