package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.id.TenantId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** How long a word of the server is waited for, by what it is asked. */
final class AnswerTimeTest extends PostgresTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final String LIMIT = "SELECT current_setting('statement_timeout')";

    /** Of each connection that was set one. */
    private final List<Object> times = new ArrayList<>();

    private final Database patient = new Database(recording());
    private final Database api = patient.answeringWithin(Duration.ofSeconds(10));

    private PGSimpleDataSource recording() {
        return new PGSimpleDataSource() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() throws SQLException {
                return recorded(Pools.single(
                                config(),
                                config().roles().api(),
                                Passwords.of(config()).api())
                        .getConnection());
            }
        };
    }

    private Connection recorded(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    if (method.getName().equals("setNetworkTimeout")) {
                        times.add(arguments[1]);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void whatHasAKeyIsAnsweredSoonOrNotAtAll() throws Exception {
        assertEquals(List.of("8s"), api.queryAsTenant(ACME, LIMIT, query -> {}, row -> row.getString(1)));

        assertEquals(List.of(10_000), times, "longer than the server tries");
    }

    @Test
    void aSearchMayTakeItsTime() throws Exception {
        assertEquals(List.of("30s"), api.searchAsTenant(ACME, LIMIT, query -> {}, row -> row.getString(1)));

        assertEquals(List.of(), times);
    }

    /** It bounds its own statements, and one that began in time may take as long again. */
    @Test
    void othersCodeHasTheBoundsOfItsTransaction() throws Exception {
        Database.Limits limits = new Database.Limits(Duration.ofSeconds(1), Duration.ofSeconds(9));

        String limit = patient.shared(
                ACME,
                limits,
                (connection, _) ->
                        Database.Ended.undone(Database.query(connection, LIMIT, query -> {}, row -> row.getString(1))
                                .getFirst()));

        assertEquals("9s", limit);
        assertEquals(List.of(), times);
    }
}
