package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads in turns: whoever asks while a batch is read is in the next one, and whoever asks for the same shares its answer. One read is
 * under way at a time, whatever is asked for, and nobody is given what was read before they asked. Thread-safe; blocks.
 */
public final class BatchedReads<K, V> {
    private final Reader<K, V> reader;
    private final int batch;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, CompletableFuture<Optional<V>>> waiting = new LinkedHashMap<>();
    private boolean reading;
    private int callers;

    /**
     * Nothing is read yet.
     *
     * @param batch keys of one read at most
     * @param most who wait at once
     */
    public BatchedReads(Reader<K, V> reader, int batch, int most) {
        this.reader = requireNonNull(reader);
        this.batch = batch;
        this.most = most;
    }

    /** Reads for real. */
    @FunctionalInterface
    public interface Reader<K, V> {
        /** What there is of them. */
        Map<K, V> read(List<K> keys) throws JournalException;
    }

    /** More wait than may. */
    public static final class FullException extends Exception {
        private static final long serialVersionUID = 1L;

        private FullException() {
            super("too many wait for a read", null, false, false);
        }
    }

    /** Empty if there is none. */
    public Optional<V> read(K key) throws FullException, JournalException {
        CompletableFuture<Optional<V>> read;
        boolean first;
        lock.lock();
        try {
            if (callers >= most) {
                throw new FullException();
            }
            callers++;
            read = waiting.computeIfAbsent(key, _ -> new CompletableFuture<>());
            first = !reading;
            reading = true;
        } finally {
            lock.unlock();
        }
        if (first) {
            Thread.ofVirtual().name("flowstone-reads").start(this::rounds);
        }
        try {
            return value(read);
        } finally {
            leave();
        }
    }

    private void leave() {
        lock.lock();
        try {
            callers--;
        } finally {
            lock.unlock();
        }
    }

    /** Whether who asks now is refused. */
    public boolean isFull() {
        lock.lock();
        try {
            return callers >= most;
        } finally {
            lock.unlock();
        }
    }

    private void rounds() {
        Map<K, CompletableFuture<Optional<V>>> next = next();
        while (!next.isEmpty()) {
            read(next);
            next = next();
        }
    }

    /** Empty if nobody waits; who comes then begins anew. */
    private Map<K, CompletableFuture<Optional<V>>> next() {
        Map<K, CompletableFuture<Optional<V>>> next = new LinkedHashMap<>();
        lock.lock();
        try {
            Iterator<Map.Entry<K, CompletableFuture<Optional<V>>>> eldest =
                    waiting.entrySet().iterator();
            while (eldest.hasNext() && next.size() < batch) {
                Map.Entry<K, CompletableFuture<Optional<V>>> entry = eldest.next();
                next.put(entry.getKey(), entry.getValue());
                eldest.remove();
            }
            reading = !next.isEmpty();
        } finally {
            lock.unlock();
        }
        return next;
    }

    /** Whatever happens, those who wait are told. */
    private void read(Map<K, CompletableFuture<Optional<V>>> asked) {
        try {
            Map<K, V> found = reader.read(new ArrayList<>(asked.keySet()));
            asked.forEach((key, read) -> read.complete(Optional.ofNullable(found.get(key))));
        } catch (Throwable e) {
            asked.values().forEach(read -> read.completeExceptionally(e));
        }
    }

    private static <V> Optional<V> value(CompletableFuture<Optional<V>> read) throws JournalException {
        try {
            return read.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof JournalException failed) {
                throw failed;
            }
            throw e.getCause() instanceof RuntimeException failed ? failed : e;
        }
    }
}
