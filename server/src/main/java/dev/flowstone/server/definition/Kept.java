package dev.flowstone.server.definition;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values that never change, those used last. Thread-safe. */
public final class Kept<K, V> {
    private final int most;
    private final Map<K, V> values = new LinkedHashMap<>(64, 0.75f, true);

    public Kept(int most) {
        this.most = most;
    }

    public synchronized @Nullable V get(K key) {
        return values.get(key);
    }

    public synchronized void put(K key, V value) {
        values.put(key, value);
        if (values.size() > most) {
            var eldest = values.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }
}
