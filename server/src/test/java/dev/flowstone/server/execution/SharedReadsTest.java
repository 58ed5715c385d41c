package dev.flowstone.server.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SharedReadsTest {
    private final AtomicInteger stored = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    /** Whose first read has its value, and keeps it back. */
    private Integer slowly() {
        int value = stored.get();
        if (reads.incrementAndGet() == 1) {
            began.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return value;
    }

    private static CompletableFuture<Integer> asked(SharedReads<String, Integer> shared) {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(shared.read("key"));
            } catch (JournalException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    @Test
    void whoComesDuringAReadIsNotGivenWhatItHadReadBefore() throws Exception {
        SharedReads<String, Integer> shared = new SharedReads<>(_ -> slowly());
        CompletableFuture<Integer> first = asked(shared);
        began.await();
        stored.set(1);
        List<CompletableFuture<Integer>> later = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            later.add(asked(shared));
        }

        goOn.countDown();

        assertEquals(0, first.get());
        for (CompletableFuture<Integer> one : later) {
            assertEquals(1, one.get());
        }
        assertTrue(reads.get() < 50, () -> "a hundred shared " + reads.get() + " reads");
    }

    @Test
    void aReadThatFailsFailsForThoseWhoSharedItAndNotForTheNext() throws Exception {
        SharedReads<String, Integer> shared = new SharedReads<>(_ -> {
            if (reads.incrementAndGet() == 1) {
                throw new JournalException.Unavailable("away");
            }
            return 7;
        });

        assertThrows(JournalException.Unavailable.class, () -> shared.read("key"));
        assertEquals(7, shared.read("key"));
    }

    @Test
    void anErrorOfTheReaderIsToldToAllAndNotForTheNext() throws Exception {
        SharedReads<String, Integer> shared = new SharedReads<>(_ -> {
            if (reads.incrementAndGet() == 1) {
                throw new StackOverflowError("deep");
            }
            return 7;
        });

        assertThrows(Throwable.class, () -> shared.read("key"));
        assertEquals(7, shared.read("key"));
    }
}
