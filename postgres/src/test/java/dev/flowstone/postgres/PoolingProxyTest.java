package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * cases.md 26: a transaction-pooling proxy between Flowstone and its database. Each transaction may meet another session of the
 * server, and one session serves many clients, so that no lock, setting or prepared statement of a session is relied on.
 */
final class PoolingProxyTest {
    /** Of the server for each role: fewer than clients, so that each serves many. */
    private static final int SESSIONS = 2;

    private static final int RUNS = 40;
    private static final int READERS = 8;
    private static final int READS = 100;

    private final OpenedPorts databases = new OpenedPorts();
    private PgBouncer proxy;

    /** Only {@link #open} fills the fields, before each test. */
    @SuppressWarnings("NullAway.Init")
    PoolingProxyTest() {}

    @BeforeEach
    void open() throws Exception {
        PostgresConfig direct = TestServer.shared().emptyDatabase();
        assumeTrue(PgBouncer.program().isPresent(), PgBouncer.MISSING);
        proxy = PgBouncer.before(direct, SESSIONS, PgBouncer.Sessions.WIPED);
    }

    @AfterEach
    void close() throws Exception {
        databases.close();
        if (proxy != null) {
            proxy.close();
        }
    }

    @Test
    void oneSessionServesManyClients() throws Exception {
        PostgresConfig config = proxy.config();
        try (Connection one = TestServer.admin(config);
                Connection other = TestServer.admin(config);
                Connection third = TestServer.admin(config)) {
            List<Long> sessions = new ArrayList<>();
            for (Connection client : List.of(one, other, third)) {
                sessions.add(PostgresTest.number(client, "SELECT pg_backend_pid()"));
            }

            assertTrue(sessions.stream().distinct().count() < 3, sessions::toString);
        }
    }

    /** As a transactional task's handler may leave it: what cleans a lent session goes to whichever session is free. */
    @Test
    void nothingOfASessionIsLeftToTheNextTransaction() throws Exception {
        PostgresConfig config = proxy.config();
        try (Connection one = TestServer.admin(config);
                Connection other = TestServer.admin(config)) {
            try (Statement statement = one.createStatement()) {
                statement.execute("SELECT 1 AS a INTO TEMPORARY left_over");
                statement.execute("SELECT pg_advisory_lock(7)");
            }

            for (Connection client : List.of(other, one, other, one)) {
                assertEquals(
                        0,
                        PostgresTest.number(
                                client,
                                "SELECT (SELECT count(*) FROM pg_class WHERE relname = 'left_over')"
                                        + " + (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')"));
            }
        }
    }

    @Test
    void makesTheSchemaAndRunsWorkflowsThere() throws Exception {
        PostgresPorts opened = databases.open(proxy.config());
        Published workflow = Published.in(
                opened.ports().workflows(), Moves.ACME, ProgramBuilder.sequence("five", 5, "core.echo"), Instant.now());
        SteppedEngine engine = new SteppedEngine(opened.ports(), "one", BuiltInActions.registry(), Runnable::run);
        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            answers.add(engine.node.start(workflow.start()));
        }
        engine.until(() -> answers.stream().allMatch(CompletableFuture::isDone) && allOver(opened));

        for (CompletableFuture<StartAnswer> answer : answers) {
            RunRow row = opened.ports()
                    .runs()
                    .run(
                            Moves.ACME,
                            assertInstanceOf(StartAnswer.Started.class, answer.join())
                                    .run())
                    .orElseThrow();
            assertEquals(RunStatus.SUCCEEDED, row.status());
        }
        ChainReport chains = new ChainVerifier(opened.entrySource()).all();
        assertTrue(chains.whole(), chains::toString);
        assertEquals(RUNS, chains.runs());
    }

    private static boolean allOver(PostgresPorts opened) {
        try {
            return opened.ports().runs().runs(Moves.ACME, RunFilter.ALL, Optional.empty(), RUNS).stream()
                    .allMatch(row -> row.status().isFinal());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tenant is a setting of the transaction: of the session, it would be everybody's. */
    @Test
    void everyoneSeesTheirOwnTenantHoweverSessionsAreShared() throws Exception {
        PostgresPorts opened = databases.open(proxy.config().withConnections(4, READERS));
        TenantId globex = new TenantId("globex");
        for (TenantId tenant : List.of(Moves.ACME, globex)) {
            Published.in(
                    opened.ports().workflows(),
                    tenant,
                    ProgramBuilder.sequence("of-" + tenant.value(), 1, "core.echo"),
                    Instant.now());
        }

        List<Callable<Void>> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            TenantId tenant = i % 2 == 0 ? Moves.ACME : globex;
            readers.add(() -> {
                for (int read = 0; read < READS; read++) {
                    List<String> seen = names(opened, tenant);
                    assertEquals(List.of("of-" + tenant.value()), seen);
                }
                return null;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
            for (Future<Void> reader : threads.invokeAll(readers)) {
                reader.get();
            }
        }
    }

    private static List<String> names(PostgresPorts opened, TenantId tenant) throws Exception {
        return opened.ports().workflows().list(tenant, Optional.empty(), Optional.empty(), 10).stream()
                .map(row -> row.id().value())
                .toList();
    }
}
