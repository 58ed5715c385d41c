package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.JournalException.Unavailable;
import dev.flowstone.engine.journal.JournalException.UnknownOutcome;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What connections are worth after a failover: those to a server that may no longer write, and those to one that has gone
 * without a word. Both are given up soon, and nobody takes either for more than a database that has to be waited for.
 */
final class FailoverTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofSeconds(1);

    /** What is left of a lease's 8 s before its margin, when its first renewal begins. */
    private static final Duration LEFT = Duration.ofMillis(3_800);

    /** Connections that were idle for longer than 500 ms are tried before they are used. */
    private static final Duration IDLE = Duration.ofMillis(800);

    private final OpenedPorts databases = new OpenedPorts();
    private PostgresConfig config;
    private SilentProxy proxy;

    /** Only {@link #open} fills the fields, before each test. */
    @SuppressWarnings("NullAway.Init")
    FailoverTest() {}

    @BeforeEach
    void open() throws Exception {
        config = TestServer.shared().database();
        proxy = SilentProxy.before(TestServer.port(config));
    }

    @AfterEach
    void close() throws Exception {
        databases.close();
        proxy.close();
    }

    private static Lease lease(PostgresPorts ports) throws JournalException {
        return ports.ports()
                .leases()
                .acquire(new ShardId(0), "test", Duration.ofMinutes(10))
                .orElseThrow();
    }

    private static long stored(PostgresPorts ports, RunKey key) throws JournalException {
        var found = ports.ports().journal().load(new ShardId(0), List.of(key)).get(key);
        return found == null ? 0 : found.lastSequence();
    }

    private static void commit(PostgresPorts ports, Lease lease, RunKey key, long expected) throws JournalException {
        assertEquals(
                1,
                ports.ports()
                        .journal()
                        .commit(Moves.commit(lease, Moves.plain(key, expected)))
                        .moved()
                        .size());
    }

    private static void ended(PostgresConfig config) throws Exception {
        TestServer.shared()
                .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
                        + TestServer.name(config) + "'");
    }

    /** As a primary that has become a standby, but for its name: whole sessions in which nothing can be written. */
    @Test
    void sessionsOfAReadOnlyServerAreGivenUpAllAtOnce() throws Exception {
        PostgresPorts ports = databases.open(config);
        Lease lease = lease(ports);
        RunKey key = Moves.run(lease);
        commit(ports, lease, key, 0);
        String alter = "ALTER DATABASE " + TestServer.name(config);
        TestServer.shared().execute(alter + " SET default_transaction_read_only = on");
        ended(config);
        untilRefused(ports, lease, key);
        assertEquals(1, stored(ports, key), "reads go on");

        TestServer.shared().execute(alter + " RESET default_transaction_read_only");

        int failures = 0;
        for (boolean done = false; !done; ) {
            try {
                commit(ports, lease, key, 1);
                done = true;
            } catch (JournalException e) {
                assertInstanceOf(Unavailable.class, e);
                failures++;
                assertTrue(failures <= 3, () -> "still a session of before: " + e);
            }
        }
        assertEquals(2, stored(ports, key));
    }

    /** The sessions of before are gone; those that take their place can't write. */
    private static void untilRefused(PostgresPorts ports, Lease lease, RunKey key) {
        List<String> told = new ArrayList<>();
        do {
            assertTrue(told.size() < 10, told::toString);
            JournalException failed = assertThrows(JournalException.class, () -> commit(ports, lease, key, 1));
            assertTrue(failed instanceof Unavailable || failed instanceof UnknownOutcome, failed::toString);
            told.add(String.valueOf(failed.getMessage()));
        } while (!told.getLast().contains("25006"));
    }

    @Test
    void aCommitThatNobodyHeardIsUnknownSoonAndCanBeMadeAgain() throws Exception {
        PostgresPorts ports = behindTheProxy();
        Lease lease = lease(ports);
        RunKey key = Moves.run(lease);
        commit(ports, lease, key, 0);

        proxy.silence();
        unknownSoon(ports, lease, key);

        assertEquals(1, stored(ports, key));
        commit(ports, lease, key, 1);
        assertEquals(2, stored(ports, key));
    }

    @Test
    void aCommitWhoseAnswerWasLostIsUnknownSoonAndIsThereOnce() throws Exception {
        PostgresPorts ports = behindTheProxy();
        Lease lease = lease(ports);
        RunKey key = Moves.run(lease);
        commit(ports, lease, key, 0);

        proxy.mute();
        unknownSoon(ports, lease, key);

        assertEquals(2, stored(ports, key));
        assertEquals(
                0,
                ports.ports()
                        .journal()
                        .commit(Moves.commit(lease, Moves.plain(key, 1)))
                        .moved()
                        .size());
    }

    /** Sooner than a lease ends, though commits may wait for longer. */
    @Test
    void leasesAreAskedForOnAnotherConnectionBeforeTheyEnd() throws Exception {
        PostgresPorts ports = databases.open(TestServer.at(config, proxy.port()));
        Lease lease = lease(ports);

        proxy.silence();
        long begun = System.nanoTime();
        assertThrows(JournalException.class, () -> ports.ports().leases().renew(lease, Duration.ofMinutes(10)));
        assertTrue(ports.ports().leases().renew(lease, Duration.ofMinutes(10)).isPresent());

        assertTrue(System.nanoTime() - begun < LEFT.toNanos(), "it waited for too long");
    }

    @Test
    void idleConnectionsToASilentServerAreGivenUpTogether() throws Exception {
        databases.open(config);
        PostgresConfig behind = TestServer.at(config, proxy.port()).withConnections(8, 2);
        try (HikariDataSource pool = Pools.engine(behind, Passwords.of(behind).engine())) {
            Database database = new Database(pool);
            fill(pool, behind.engineConnections());
            long idle = System.nanoTime();
            while (System.nanoTime() - idle < IDLE.toNanos()) {
                LockSupport.parkNanos(IDLE.toNanos());
            }

            proxy.silence();
            long begun = System.nanoTime();
            if (!connects(database)) {
                assertTrue(connects(database), "another of them was waited for");
            }

            assertTrue(System.nanoTime() - begun < SOON.toNanos(), "it waited for too long");
        }
    }

    private static void fill(HikariDataSource pool, int connections) throws SQLException {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            all.add(pool.getConnection());
        }
        for (Connection connection : all) {
            connection.close();
        }
    }

    private static boolean connects(Database database) throws SQLException {
        try (Connection connection = database.connect()) {
            return connection.isValid(1);
        } catch (Unavailable e) {
            return false;
        }
    }

    private PostgresPorts behindTheProxy() throws Exception {
        return databases.open(TestServer.at(config, proxy.port()).withSocketTimeout(ANSWER));
    }

    /** All of the pool's connections are dead: only one of them has to be waited for. */
    private static void unknownSoon(PostgresPorts ports, Lease lease, RunKey key) throws JournalException {
        long begun = System.nanoTime();
        assertThrows(UnknownOutcome.class, () -> commit(ports, lease, key, 1));
        stored(ports, key);
        assertTrue(System.nanoTime() - begun < SOON.toNanos(), "it waited for too long");
    }
}
