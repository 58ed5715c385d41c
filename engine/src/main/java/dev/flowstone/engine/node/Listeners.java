package dev.flowstone.engine.node;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.shard.MoveListener;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who wants to know when a run moves. One that throws is only logged. Thread-safe. */
final class Listeners implements MoveListener {
    private static final System.Logger LOG = System.getLogger(Listeners.class.getName());

    private final Map<RunKey, List<Subscription>> byRun = new ConcurrentHashMap<>();

    AutoCloseable add(RunKey run, Consumer<Long> listener) {
        Subscription own = new Subscription(listener);
        byRun.compute(run, (key, before) -> {
            List<Subscription> all = before == null ? new CopyOnWriteArrayList<>() : before;
            all.add(own);
            return all;
        });
        return () -> byRun.computeIfPresent(run, (key, all) -> remaining(all, own));
    }

    private static @Nullable List<Subscription> remaining(List<Subscription> all, Subscription ended) {
        all.remove(ended);
        return all.isEmpty() ? null : all;
    }

    @Override
    public void moved(RunKey run, long lastSequence) {
        if (byRun.isEmpty()) {
            return;
        }
        for (Subscription subscription : byRun.getOrDefault(run, List.of())) {
            try {
                subscription.listener.accept(lastSequence);
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "a listener of run " + run + " failed", e);
            }
        }
    }

    /** Compared by identity, so that ending one never ends another of the same listener. */
    private static final class Subscription {
        final Consumer<Long> listener;

        Subscription(Consumer<Long> listener) {
            this.listener = listener;
        }
    }
}
