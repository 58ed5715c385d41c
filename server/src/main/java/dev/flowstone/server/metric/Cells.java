package dev.flowstone.server.metric;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * One cell for each combination of label values, at most so many: what comes after that is counted together under
 * {@link #OTHER}, so that names that users make never grow what is kept and shown. Thread-safe.
 */
final class Cells<C> {
    static final String OTHER = "other";

    private final int labels;
    private final int most;
    private final Supplier<C> maker;
    private final Map<List<String>, C> cells = new ConcurrentHashMap<>();

    Cells(int labels, int most, Supplier<C> maker) {
        this.labels = labels;
        this.most = most;
        this.maker = maker;
    }

    C cell(String... values) {
        if (values.length != labels) {
            throw new IllegalArgumentException("there are " + labels + " labels");
        }
        List<String> key = List.of(values);
        C found = cells.get(key);
        if (found != null) {
            return found;
        }
        // Two at once may both find room: a few too many do no harm.
        List<String> kept = cells.size() < most ? key : Collections.nCopies(labels, OTHER);
        return cells.computeIfAbsent(kept, _ -> maker.get());
    }

    void forEach(BiConsumer<List<String>, C> action) {
        cells.forEach(action);
    }
}
