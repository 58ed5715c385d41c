package dev.flowstone.engine.log;

import dev.flowstone.engine.journal.RunKey;
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

    /** Of a run, for a single line about it. */
    static LogContext about(RunKey run) {
        return field -> {
            field.accept("tenant", run.tenant().value());
            field.accept("run", run.run().toString());
        };
    }

    /** Says something about a run. */
    static void about(RunKey run, Runnable logs) {
        ScopedValue.where(CURRENT, about(run)).run(logs);
    }

    /** Of the calling thread. */
    static Optional<LogContext> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }
}
