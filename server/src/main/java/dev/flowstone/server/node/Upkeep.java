package dev.flowstone.server.node;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.postgres.Partitions;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What a database needs once a day while somebody runs on it: the next months' partitions. */
final class Upkeep implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Upkeep.class.getName());
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration SOON = Duration.ofMinutes(5);

    private final CountDownLatch closed = new CountDownLatch(1);

    private Upkeep() {}

    static Upkeep of(Partitions partitions) {
        Upkeep upkeep = new Upkeep();
        Thread.ofVirtual().name("flowstone-upkeep").start(() -> upkeep.everyDay(partitions));
        return upkeep;
    }

    /** Opening the database has done the first day's. */
    private void everyDay(Partitions partitions) {
        Duration pause = DAY;
        try {
            while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = ensured(partitions) ? DAY : SOON;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean ensured(Partitions partitions) {
        try {
            partitions.ensure(Clock.SYSTEM.now());
            return true;
        } catch (JournalException e) {
            LOG.log(
                    Level.ERROR,
                    "partitions could not be made; there are some until " + partitions.until() + ": " + e.getMessage());
            return false;
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
