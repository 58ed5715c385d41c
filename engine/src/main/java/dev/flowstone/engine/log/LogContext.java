package dev.flowstone.engine.log;

import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What a thread works on. It is bound while a handler, a delivery or a call runs, so that every line that is logged
 * meanwhile, by whatever code, can say whose it is; nothing is written down before somebody logs.
 */
@FunctionalInterface
public interface LogContext {
    /** Bound by whoever begins the work. */
    ScopedValue<LogContext> CURRENT = ScopedValue.newInstance();

    /** Tells names and values: {@code tenant}, {@code run}, {@code event}, and what else is known. Nothing of the content. */
    void describe(BiConsumer<String, String> field);

    /** Of the calling thread. */
    static Optional<LogContext> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }
}
