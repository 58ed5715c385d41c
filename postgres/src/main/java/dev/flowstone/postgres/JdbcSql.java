package dev.flowstone.postgres;

import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Others' statements in a transaction of ours: those that read and write rows, one at a time, within a time for all of them.
 * They can't end it: that is our driver's call, not SQL's.
 */
final class JdbcSql implements SqlHandle {
    private static final int MOST_ROWS = 1_000;
    private static final Set<String> STATEMENTS =
            Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "VALUES", "TABLE");
    private static final Pattern FIRST_WORD = Pattern.compile("\\s*([A-Za-z]+).*", Pattern.DOTALL);

    /** Of classes that otherwise tell of wrong statements. */
    private static final Set<String> OTHERS = Set.of("55P03", "25P02", "25P03", "25P04", "25006", "26000");

    /** Change what the session is, which nobody does here but us. */
    private static final Pattern SETTINGS = Pattern.compile("set_config|pg_settings", Pattern.CASE_INSENSITIVE);

    private final Connection connection;
    private final Duration longest;
    private final long begun = System.nanoTime();
    private @Nullable RuntimeException failure;

    JdbcSql(Connection connection, Duration longest) {
        this.connection = connection;
        this.longest = longest;
    }

    /** Carries an error of the database through others' code. */
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final SQLException cause;

        Failed(SQLException cause) {
            super(cause);
            this.cause = cause;
        }

        SQLException cause() {
            return cause;
        }
    }

    @Override
    public int update(String sql, Object... parameters) {
        return remembering(() -> {
            try (PreparedStatement statement = connection.prepareStatement(checked(sql))) {
                bind(statement, parameters);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public List<JsonObject> query(String sql, Object... parameters) {
        return remembering(() -> {
            try (PreparedStatement statement = connection.prepareStatement(checked(sql))) {
                statement.setMaxRows(MOST_ROWS);
                bind(statement, parameters);
                List<JsonObject> found = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.add(row(rows));
                    }
                }
                return found;
            }
        });
    }

    /** One statement. */
    @FunctionalInterface
    private interface Step<T> {
        T make() throws SQLException;
    }

    /** Not every failure ends the transaction in the database; and whoever swallows one must not commit the rest. */
    private <T> T remembering(Step<T> step) {
        try {
            return step.make();
        } catch (SQLException e) {
            throw remembered(failed(e));
        } catch (RuntimeException e) {
            throw remembered(e);
        }
    }

    private RuntimeException remembered(RuntimeException e) {
        failure = failure == null ? e : failure;
        return e;
    }

    /** Asked when others are done and before anything of it is committed: throws what failed first. */
    void checkWhole() {
        checkTime();
        if (failure != null) {
            throw failure;
        }
    }

    /** Whoever ended the transaction would have committed half of it; whoever takes long keeps others waiting. */
    private String checked(String sql) {
        checkTime();
        Matcher first = FIRST_WORD.matcher(sql);
        if (!first.matches() || !STATEMENTS.contains(first.group(1).toUpperCase(Locale.ROOT))) {
            throw refused("a mutation's statements begin with one of "
                    + STATEMENTS.stream().sorted().collect(Collectors.joining(", ")) + ", without a comment before");
        }
        if (sql.indexOf(';') >= 0) {
            throw refused("a mutation's statements are given one by one, without semicolon; texts are parameters");
        }
        if (SETTINGS.matcher(sql).find()) {
            throw refused("a mutation's statements change no settings of their session");
        }
        return sql;
    }

    /** What all of it took so far. */
    void checkTime() {
        if (System.nanoTime() - begun > longest.toNanos()) {
            throw retryable(
                    MutationException.TIMEOUT,
                    "it took longer than " + longest.toMillis() + " ms and wasn't committed");
        }
    }

    /** Asked when others are done, before anything of ours follows: who changed what the transaction sees isn't trusted. */
    void checkTenant(TenantId tenant) throws SQLException {
        List<String> now = Database.query(
                connection,
                "SELECT current_setting('flowstone.tenant', true)",
                query -> {},
                row -> String.valueOf(row.getString(1)));
        if (!now.equals(List.of(tenant.value()))) {
            throw refused("a mutation doesn't change its tenant");
        }
    }

    static MutationException refused(String message) {
        return new MutationException(FailureClass.PERMANENT, MutationException.REFUSED, message);
    }

    private static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            switch (parameters[i]) {
                case null ->
                    throw refused("parameter " + (i + 1) + " is null; write NULL where the statement needs one");
                case String text -> statement.setString(i + 1, text);
                case Long number -> statement.setLong(i + 1, number);
                case Integer number -> statement.setInt(i + 1, number);
                case Boolean flag -> statement.setBoolean(i + 1, flag);
                case UUID id -> statement.setObject(i + 1, id);
                default ->
                    throw refused("a parameter is text, a whole number, a boolean or a UUID, not a "
                            + parameters[i].getClass().getSimpleName());
            }
        }
    }

    private static JsonObject row(ResultSet row) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        JsonObject.Builder out = JsonObject.builder();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            out.put(columns.getColumnLabel(i), value(row.getObject(i)));
        }
        return out.build();
    }

    private static JsonValue value(@Nullable Object value) {
        return switch (value) {
            case null -> JsonNull.NULL;
            case Long number -> JsonNumber.of((long) number);
            case Integer number -> JsonNumber.of((long) number);
            case Short number -> JsonNumber.of((long) number);
            case Boolean flag -> JsonBoolean.of(flag);
            default -> new JsonString(value.toString());
        };
    }

    /** What is to blame: others, the database or the time, as told later; or the statement, which then is refused for good. */
    static RuntimeException failed(SQLException e) {
        String state = SqlErrors.state(e);
        boolean refused = switch (state.length() < 2 ? state : state.substring(0, 2)) {
            case "", "08", "40", "53", "57", "58" -> false;
            default -> !OTHERS.contains(state) && !isPlanOutdated(e);
        };
        return refused ? refused(SqlErrors.text(e)) : new Failed(e);
    }

    /** Somebody changed a table; the statement is as good as before when it is planned again. */
    private static boolean isPlanOutdated(SQLException e) {
        return SqlErrors.state(e).equals("0A000")
                && String.valueOf(e.getMessage()).contains("cached plan");
    }

    /** What a failed statement of a shared transaction means to whoever asked for it. */
    static Exception explained(SQLException e) {
        String state = SqlErrors.state(e);
        return switch (state) {
            case "55P03" -> retryable(MutationException.LOCKED, "somebody else holds it: " + e.getMessage());
            case "57014", "25P03", "25P04" ->
                retryable(MutationException.TIMEOUT, "it took too long: " + e.getMessage());
            case "25P02" -> refused("a statement before had failed: " + e.getMessage());
            default ->
                state.startsWith("40") || isPlanOutdated(e)
                        ? retryable(MutationException.CONFLICT, "it gave way: " + e.getMessage())
                        : SqlErrors.ofRead(e);
        };
    }

    private static MutationException retryable(String code, String message) {
        return new MutationException(FailureClass.RETRYABLE, code, message);
    }
}
