package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

final class PoolThreadsTest {
    private final PoolThreads threads = new PoolThreads("role");

    /** As a pool's thread does between two tries to connect, and in each of them. */
    @Test
    void whoWaitsWhileThePoolIsClosedIsWokenUntilItHasEnded() throws Exception {
        CountDownLatch woken = new CountDownLatch(3);
        Thread thread = threads.newThread(() -> {
            while (woken.getCount() > 0) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    woken.countDown();
                }
            }
        });
        thread.start();

        try (PoolThreads.Waking _ = threads.waking()) {
            assertTrue(woken.await(60, TimeUnit.SECONDS));
        }

        thread.join();
        assertEquals("role-pool-1", thread.getName());
        assertTrue(thread.isDaemon());
    }

    @Test
    void nobodyIsWokenOnceItIsClosed() throws Exception {
        PoolThreads.Waking waking = threads.waking();
        waking.close();
        assertTrue(waking.thread().join(Duration.ofSeconds(60)));
    }

    /** One that is about to connect to a server that says nothing; whoever closes a pool interrupts it once by himself. */
    @Test
    void whoClosesAPoolWakesItsThreads() throws Exception {
        CountDownLatch connecting = new CountDownLatch(1);
        CountDownLatch woken = new CountDownLatch(5);
        HikariConfig settings = new HikariConfig();
        settings.setPoolName("role");
        settings.setThreadFactory(threads);
        settings.setMaximumPoolSize(1);
        settings.setInitializationFailTimeout(-1);
        settings.setDataSource(new PGSimpleDataSource() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() throws SQLException {
                connecting.countDown();
                while (woken.getCount() > 0) {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        woken.countDown();
                    }
                }
                throw new SQLException("nobody answers");
            }
        });
        HikariDataSource pool = new HikariDataSource(settings);
        assertTrue(connecting.await(60, TimeUnit.SECONDS));

        Pools.close(List.of(pool));

        assertEquals(0, woken.getCount());
    }
}
