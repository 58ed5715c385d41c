package dev.flowstone.sdk.worker;

import org.jspecify.annotations.Nullable;

/**
 * A {@link TaskHandler} that needs nothing of its task but the input.
 *
 * @param <I> a record, or whatever Jackson makes of JSON
 * @param <O> the same, the other way; null is JSON's null
 */
@FunctionalInterface
public interface PlainHandler<I, O> {
    /** Does it; what it throws means what it means of a {@link TaskHandler}. */
    @Nullable
    O handle(I input) throws Exception;
}
