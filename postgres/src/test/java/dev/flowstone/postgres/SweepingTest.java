package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

final class SweepingTest {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    /** A pool whose database is away. */
    private final class Away extends PGSimpleDataSource {
        private static final long serialVersionUID = 1;

        @Override
        public Connection getConnection() throws SQLException {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
            }
            throw new SQLException("away");
        }
    }

    /** Its five seconds begin when it is told to end, so that they pass beside whatever else ends. */
    @Test
    void whoWaitsForTheDatabaseIsInterruptedWhenItsTimeIsOver() throws Exception {
        Sweeper sweeper = new Sweeper(new Database(new Away()), List.of(), Keeping.DEFAULTS);
        Sweeping sweeping = Sweeping.of(sweeper, Duration.ofHours(1), piece -> {});
        assertTrue(asked.await(60, TimeUnit.SECONDS));

        sweeping.end();
        sweeping.close();

        assertTrue(interrupted.await(60, TimeUnit.SECONDS));
    }
}
