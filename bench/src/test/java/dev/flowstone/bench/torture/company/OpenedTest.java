package dev.flowstone.bench.torture.company;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was opened is closed whoever closes it, and whenever. */
@Timeout(30)
final class OpenedTest {
    private final Opened opened = new Opened();
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

    private AutoCloseable one(String name) {
        return () -> closed.add(name);
    }

    @Test
    void closesTheLastFirstWhateverBecomesOfTheOthers() {
        opened.open(() -> one("database"));
        opened.open(() -> () -> {
            throw new IllegalStateException("can't be closed");
        });
        opened.open(() -> one("node"));

        opened.close();
        opened.close();

        assertEquals(List.of("node", "database"), List.copyOf(closed));
    }

    @Test
    void opensNothingAfterwards() {
        opened.close();

        assertThrows(IllegalStateException.class, () -> opened.open(() -> one("late")));
        assertEquals(List.of(), List.copyOf(closed));
    }

    @Test
    void closesWhatIsBeingOpenedMeanwhile() throws Exception {
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        Thread opener = Thread.ofVirtual()
                .start(() -> opened.open(() -> {
                    opening.countDown();
                    awaitQuietly(asked);
                    return one("slow");
                }));
        opening.await();
        Thread closer = Thread.ofVirtual().start(opened::close);

        asked.countDown();

        assertEquals("slow", closed.poll(20, TimeUnit.SECONDS));
        opener.join();
        closer.join();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
