package dev.flowstone.sdk.client;

import java.util.Iterator;
import java.util.stream.Stream;

/**
 * An execution's events as they happen: {@link #hasNext} waits for one, and is false when it is over. For one thread; {@link #close}
 * is for any, and ends it.
 */
public interface Following extends Iterator<ExecutionEvent>, AutoCloseable {
    /**
     * Waits.
     *
     * @throws FlowstoneException if it can't be followed any more: as often in a row as the retry policy says, and as long
     */
    @Override
    boolean hasNext();

    /** The same as a stream; to close it ends it. */
    Stream<ExecutionEvent> stream();

    @Override
    void close();
}
