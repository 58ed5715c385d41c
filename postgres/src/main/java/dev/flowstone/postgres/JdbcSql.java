package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.kernel.command.FailureClass;
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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Others' statements in a transaction of ours. They can't end it: that is our driver's call, not SQL's. */
final class JdbcSql implements SqlHandle {
    private static final int MOST_ROWS = 1_000;

    private final Connection connection;

    JdbcSql(Connection connection) {
        this.connection = connection;
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
        try (PreparedStatement statement = connection.prepareStatement(checked(sql))) {
            bind(statement, parameters);
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public List<JsonObject> query(String sql, Object... parameters) {
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
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Whoever ended the transaction would have committed half of it. */
    private static String checked(String sql) {
        String start = sql.strip().toUpperCase(java.util.Locale.ROOT);
        for (String word : List.of("COMMIT", "ROLLBACK", "END", "ABORT", "BEGIN", "START", "PREPARE", "SET", "RESET")) {
            if (start.startsWith(word)) {
                throw refused("a mutation neither ends its transaction nor changes its settings: " + word);
            }
        }
        if (start.indexOf(';') >= 0) {
            throw refused("a mutation's statements are given one by one");
        }
        return sql;
    }

    private static MutationException refused(String message) {
        return new MutationException(FailureClass.PERMANENT, MutationException.REFUSED, message);
    }

    private static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            switch (parameters[i]) {
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

    private static JsonValue value(@org.jspecify.annotations.Nullable Object value) {
        return switch (value) {
            case null -> JsonNull.NULL;
            case Long number -> JsonNumber.of((long) number);
            case Integer number -> JsonNumber.of((long) number);
            case Short number -> JsonNumber.of((long) number);
            case Boolean flag -> JsonBoolean.of(flag);
            default -> new JsonString(value.toString());
        };
    }

    private static RuntimeException failed(SQLException e) {
        String state = SqlErrors.state(e);
        return switch (state.length() < 2 ? state : state.substring(0, 2)) {
            case "0A", "21", "22", "23", "42", "44", "P0" -> refused(SqlErrors.text(e));
            default -> new Failed(e);
        };
    }

    /** What a failed statement of a shared transaction means to whoever asked for it. */
    static Exception explained(SQLException e) {
        return switch (SqlErrors.state(e)) {
            case "55P03" -> retryable(MutationException.LOCKED, "somebody else holds it: " + e.getMessage());
            case "57014", "25P03", "25P04" ->
                retryable(MutationException.TIMEOUT, "it took too long: " + e.getMessage());
            case "40001", "40P01" -> retryable(MutationException.CONFLICT, "it gave way: " + e.getMessage());
            case "25P02" -> refused("a statement before had failed: " + e.getMessage());
            default -> ofRead(e);
        };
    }

    private static JournalException ofRead(SQLException e) {
        return SqlErrors.ofRead(e);
    }

    private static MutationException retryable(String code, String message) {
        return new MutationException(FailureClass.RETRYABLE, code, message);
    }
}
