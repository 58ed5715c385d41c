package dev.flowstone.server.metric;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is looked up again only when it has become old: the families of one scrape share it. Thread-safe. */
public final class Recent<T> implements Supplier<T> {
    private final Supplier<T> source;
    private final long nanos;
    private @Nullable T value;
    private long readAt;

    public Recent(Supplier<T> source, Duration fresh) {
        this.source = source;
        this.nanos = fresh.toNanos();
    }

    @Override
    public synchronized T get() {
        long now = System.nanoTime();
        T known = value;
        if (known != null && now - readAt < nanos) {
            return known;
        }
        T read = source.get();
        value = read;
        readAt = now;
        return read;
    }
}
