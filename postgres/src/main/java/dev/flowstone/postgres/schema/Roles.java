package dev.flowstone.postgres.schema;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The three roles, with all that V1 and V16 gave them. Roles are a server's and not in a database's dump: a dump that is
 * restored at another server has the migrations behind it, and yet nobody whom they made. So whatever is missing is made at
 * each start; what somebody has set otherwise stays. Where all is there, this costs one query.
 */
final class Roles {
    private static final String MISSING = """
            WITH names (owner, engine, api) AS (VALUES (?::text, ?::text, ?::text)),
            me AS (
                SELECT m.rolsuper, m.rolcreaterole, current_setting('server_version_num')::int >= 160000 AS sixteen
                FROM pg_roles m WHERE m.rolname = current_user
            ),
            settings (role, name, value) AS (
                SELECT s.role, s.name, s.value FROM names, LATERAL (VALUES
                    (engine, 'statement_timeout', '60s'),
                    (engine, 'lock_timeout', '10s'),
                    (engine, 'idle_in_transaction_session_timeout', '60s'),
                    (engine, 'enable_seqscan', 'off'),
                    (engine, 'enable_hashjoin', 'off'),
                    (engine, 'enable_mergejoin', 'off'),
                    (engine, 'jit', 'off'),
                    (api, 'statement_timeout', '30s'),
                    (api, 'lock_timeout', '5s'),
                    (api, 'idle_in_transaction_session_timeout', '60s')) AS s (role, name, value)
            ),
            missing (step, statement) AS (
                SELECT 1, format('CREATE ROLE %I NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOLOGIN', n.role)
                FROM names, LATERAL (VALUES (owner), (engine), (api)) AS n (role)
                WHERE NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = n.role)
                UNION ALL
                SELECT 2, format('GRANT %I TO CURRENT_USER', n.owner)
                FROM names n, me
                WHERE NOT me.rolsuper AND NOT EXISTS (
                    SELECT FROM pg_roles r WHERE r.rolname = n.owner
                      AND pg_has_role(r.oid, CASE WHEN me.sixteen THEN 'SET' ELSE 'MEMBER' END))
                UNION ALL
                SELECT 3, format('GRANT pg_read_all_stats TO %I', n.owner)
                FROM names n, me
                WHERE NOT EXISTS (
                    SELECT FROM pg_roles r WHERE r.rolname = n.owner AND pg_has_role(r.oid, 'pg_read_all_stats', 'USAGE'))
                  AND (me.rolsuper OR me.rolcreaterole AND NOT me.sixteen
                      OR pg_has_role('pg_read_all_stats', 'MEMBER WITH ADMIN OPTION'))
                UNION ALL
                SELECT 4, format('ALTER ROLE %I SET %I = %L', s.role, s.name, s.value)
                FROM settings s
                WHERE NOT EXISTS (
                    SELECT FROM pg_roles r, unnest(r.rolconfig) AS kept (line)
                    WHERE r.rolname = s.role AND split_part(kept.line, '=', 1) = s.name)
            )
            SELECT statement FROM missing ORDER BY step, statement
            """;

    /** What somebody hears who changes the same at the same moment. */
    private static final Set<String> MET = Set.of("23505", "XX000");

    /** All works without it: slower, or with less to be seen. */
    private static final Pattern IMPROVEMENT = Pattern.compile("^(ALTER ROLE|GRANT pg_read_all_stats) ");

    private static final System.Logger LOG = System.getLogger(Roles.class.getName());

    private static final String THERE = "42710";
    private static final String NOT_ALLOWED = "42501";
    private static final int TRIES = 20;

    private final DataSource admin;
    private final RoleNames names;

    Roles(DataSource admin, RoleNames names) {
        this.admin = admin;
        this.names = names;
    }

    /**
     * Makes what is missing; safe when several nodes start at once.
     *
     * @throws MigrationException if something is missing that this user may not make
     */
    void ensure() throws SQLException {
        try (Connection connection = admin.getConnection()) {
            for (String statement : missing(connection)) {
                make(connection, statement);
            }
        }
    }

    private static void make(Connection connection, String statement) throws SQLException {
        try {
            execute(connection, statement);
        } catch (SQLException e) {
            if (NOT_ALLOWED.equals(e.getSQLState())
                    && IMPROVEMENT.matcher(statement).find()) {
                LOG.log(Level.WARNING, "let a superuser do this, it makes a difference: " + statement);
            } else if (NOT_ALLOWED.equals(e.getSQLState())) {
                throw new MigrationException(
                        "Flowstone's roles aren't as they should be, and this user may not change them (" + statement
                                + "): " + e.getMessage() + "; give it CREATEROLE, or let a superuser do that",
                        e);
            } else {
                throw e;
            }
        }
    }

    /** Changes a role while others may do the same: who meets them at it comes again, and who finds it made is content. */
    static void execute(Connection connection, String statement) throws SQLException {
        for (int left = TRIES; true; left--) {
            try (Statement change = connection.createStatement()) {
                change.execute(statement);
                return;
            } catch (SQLException e) {
                if (THERE.equals(e.getSQLState())) {
                    return;
                }
                if (left == 0 || !MET.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
            }
        }
    }

    private List<String> missing(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(MISSING)) {
            statement.setString(1, names.owner());
            statement.setString(2, names.engine());
            statement.setString(3, names.api());
            List<String> missing = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    missing.add(rows.getString(1));
                }
            }
            return missing;
        }
    }
}
