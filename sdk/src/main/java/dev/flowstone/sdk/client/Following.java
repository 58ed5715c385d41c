package dev.flowstone.sdk.client;

import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An execution's events as they happen: {@link #hasNext} waits for one, and is false when it is over. For one thread; {@link #close}
 * is for any, and ends it.
 */
public interface Following extends Iterator<ExecutionEvent>, AutoCloseable {
    /**
     * Waits.
     *
     * @throws FlowstoneException if it can't be followed any more: as often in a row as the retry policy says, and as long. The same one
     *     again if it is asked again
     */
    @Override
    boolean hasNext();

    /**
     * The execution's status at its end, once {@link #hasNext} is false since it is over; empty before, and where the follower was closed.
     * {@link ExecutionStatus#UNKNOWN} if the end was told before the number that was followed from.
     */
    Optional<ExecutionStatus> end();

    /** The same as a stream; to close it ends it. */
    Stream<ExecutionEvent> stream();

    @Override
    void close();
}
