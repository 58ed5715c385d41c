package dev.flowstone.server.trigger;

import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.engine.journal.JournalException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Dead letters of arrivals that a test looks at. */
final class FakeLetters {
    final List<PoisonMessage> kept = new CopyOnWriteArrayList<>();

    /** Whether none can be written. */
    volatile boolean isBroken;

    LostArrivals arrivals(boolean enabled) {
        DeadLetterConfig usual = DeadLetterConfig.DEFAULT;
        DeadLetterStore store = (DeadLetterStore) Proxy.newProxyInstance(
                DeadLetterStore.class.getClassLoader(),
                new Class<?>[] {DeadLetterStore.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("waiting")) {
                        return 0;
                    }
                    if (!method.getName().equals("failed")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    if (isBroken) {
                        throw new JournalException.Unavailable("the database is away");
                    }
                    kept.add((PoisonMessage) arguments[0]);
                    return new DeadLetterStore.Failed(true, false);
                });
        return new LostArrivals(store, new DeadLetterConfig(enabled, usual.queue(), usual.maxRetries(), usual.delay()));
    }
}
