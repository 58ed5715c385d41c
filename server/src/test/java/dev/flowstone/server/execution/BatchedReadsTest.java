package dev.flowstone.server.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** A reader that the test holds up: what comes meanwhile is read together. */
final class BatchedReadsTest {
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    private final List<List<String>> read = new CopyOnWriteArrayList<>();
    private final Semaphore begun = new Semaphore(0);
    private final Semaphore goOn = new Semaphore(0);
    private final Map<String, Integer> there = new HashMap<>(Map.of("a", 1, "b", 2));
    private final BatchedReads<String, Integer> reads = new BatchedReads<>(this::answer, 2, 4);

    private Map<String, Integer> answer(List<String> keys) throws JournalException {
        read.add(keys);
        begun.release();
        goOn.acquireUninterruptibly();
        if (keys.contains("gone")) {
            throw new JournalException.Unavailable("away");
        }
        return there;
    }

    private CompletableFuture<Optional<Integer>> ask(String key) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return reads.read(key);
                    } catch (BatchedReads.FullException | JournalException e) {
                        throw new CompletionException(e);
                    }
                },
                THREADS);
    }

    private void awaitWaiting(boolean full) {
        while (reads.isFull() != full) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whoComesWhileOneIsReadIsReadTogetherAndNoMoreWaitThanMay() throws Exception {
        CompletableFuture<Optional<Integer>> first = ask("a");
        begun.acquire();
        List<CompletableFuture<Optional<Integer>>> others = new ArrayList<>();
        for (String key : List.of("a", "b", "c")) {
            others.add(ask(key));
        }
        awaitWaiting(true);
        assertThrows(BatchedReads.FullException.class, () -> reads.read("d"));
        goOn.release(3);

        assertEquals(Optional.of(1), first.get());
        assertEquals(Optional.of(1), others.get(0).get());
        assertEquals(Optional.of(2), others.get(1).get());
        assertEquals(Optional.empty(), others.get(2).get());
        assertEquals(3, read.size(), read::toString);
        assertEquals(List.of("a"), read.getFirst());
        assertFalse(reads.isFull());
        goOn.release();
        assertEquals(Optional.of(2), reads.read("b"), "and it begins anew");
    }

    @Test
    void whatFailsFailsForThoseWhoAskedAlone() throws Exception {
        CompletableFuture<Optional<Integer>> gone = ask("gone");
        begun.acquire();
        CompletableFuture<Optional<Integer>> other = ask("a");
        goOn.release(2);
        CompletionException failed = assertThrows(CompletionException.class, gone::join);
        assertTrue(failed.getCause() instanceof JournalException.Unavailable, failed::toString);
        assertEquals(Optional.of(1), other.get());
    }
}
