package dev.flowstone.sdk.client;

import java.time.Duration;
import java.util.Optional;

/**
 * What runs, and what has run. Each throws {@link RefusedException} with {@code EXECUTION_NOT_FOUND} if there is no such execution,
 * {@code EXECUTION_ARCHIVED} if it has left the database, and, where it acts on one, {@code WFENG002} if that isn't possible in its
 * state. What acts is sent under a key of its own, and so done once however often it is sent.
 */
public interface Executions {
    /**
     * Starts one. It is on disk when this returns, and there is one of its request id, however often it was sent.
     *
     * @throws RefusedException {@code WFENG005} if the input isn't what the workflow wants, {@code WFENG001} if the request id has
     *     started another workflow, {@code NOT_EXECUTABLE} for one that is out of use
     */
    StartedExecution start(Start start);

    Execution get(String executionId);

    /** The newest first. */
    Listing<ExecutionSummary> list(ExecutionFilter filter);

    /** Its events so far, from that number on (1 for all), the oldest first. Who has read some goes on behind the last one's number. */
    Listing<ExecutionEvent> events(String executionId, long from);

    /**
     * Its events from that number on (1 for all), and then each as it comes, until it is over or the follower is closed. Connections
     * that break are made again, and nothing is missed or told twice.
     */
    Following follow(String executionId, long from);

    /**
     * Waits until it is over; empty if it isn't by then, or the client is closed. An answer costs the server little while nothing
     * has happened. Outages don't end the wait: only if no look at it has had an answer, why is thrown at the end.
     *
     * @param atMost counts to within a second, which the last look has
     */
    Optional<Execution> await(String executionId, Duration atMost);

    /** Ends it in good order: what was done is undone, as its workflow says. */
    Acted cancel(String executionId, String reason);

    /** Nothing is decided any more until it is resumed. */
    Acted suspend(String executionId, String reason);

    /** Goes on. */
    Acted resume(String executionId, String reason);

    /** Ends it now; nothing is undone. */
    Acted terminate(String executionId, String reason);
}
