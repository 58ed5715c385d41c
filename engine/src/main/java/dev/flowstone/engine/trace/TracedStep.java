package dev.flowstone.engine.trace;

import java.util.Optional;

/** Something that is being done on this thread; close it there. */
public interface TracedStep extends AutoCloseable {
    /** Nobody follows. */
    TracedStep NONE = new TracedStep() {};

    /** Where it is: what it causes comes from there. */
    default Mark mark() {
        return Mark.NONE;
    }

    /** What to hand to others, as the W3C writes it. */
    default Optional<String> traceparent() {
        return Optional.empty();
    }

    /** It did not go well. */
    default void failed(String code) {}

    @Override
    default void close() {}
}
