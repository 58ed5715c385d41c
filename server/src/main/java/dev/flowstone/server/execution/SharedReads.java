package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads once for all who ask for the same at the same time. Nobody is given what was read before they asked: who comes while a
 * read is under way shares the next one. So it is as true as a read of one's own, and needs nobody to tell of changes, while
 * the reads a second are bounded by how long one takes. Thread-safe; blocks.
 */
public final class SharedReads<K, V> {
    private final Reader<K, V> reader;
    private final ReentrantLock lock = new ReentrantLock();

    /** What has not begun yet, and may be joined. */
    private final Map<K, CompletableFuture<V>> next = new HashMap<>();

    private final Map<K, CompletableFuture<V>> current = new HashMap<>();

    public SharedReads(Reader<K, V> reader) {
        this.reader = requireNonNull(reader);
    }

    /** Reads for real. */
    @FunctionalInterface
    public interface Reader<K, V> {
        V read(K key) throws JournalException;
    }

    public V read(K key) throws JournalException {
        CompletableFuture<V> own = new CompletableFuture<>();
        @Nullable CompletableFuture<V> joined;
        @Nullable CompletableFuture<V> before;
        lock.lock();
        try {
            joined = next.putIfAbsent(key, own);
            before = current.get(key);
        } finally {
            lock.unlock();
        }
        if (joined != null) {
            return value(joined);
        }
        lead(key, own, before);
        return value(own);
    }

    /** Whatever happens, those who joined are told, and nobody joins any more. */
    private void lead(K key, CompletableFuture<V> own, @Nullable CompletableFuture<V> before) {
        try {
            if (before != null) {
                before.handle((_, _) -> true).join();
            }
            lock.lock();
            try {
                next.remove(key, own);
                current.put(key, own);
            } finally {
                lock.unlock();
            }
            own.complete(reader.read(key));
        } catch (Throwable e) {
            own.completeExceptionally(e);
        } finally {
            lock.lock();
            try {
                next.remove(key, own);
                current.remove(key, own);
            } finally {
                lock.unlock();
            }
        }
    }

    private static <V> V value(CompletableFuture<V> read) throws JournalException {
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
