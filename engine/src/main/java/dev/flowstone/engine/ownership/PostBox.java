package dev.flowstone.engine.ownership;

import dev.flowstone.engine.journal.JournalException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Calls from node to node through the database, for when one can't reach the other. A call is handed out once; whoever posted it
 * reads its answer, or takes it back. What is asked and answered is the nodes' own: nobody here reads it. Thread-safe.
 */
public interface PostBox {
    /**
     * Leaves a call to a node.
     *
     * @param patience how long it may be taken; later it is nobody's, and a {@link #sweep} some minutes later removes it
     */
    void post(UUID call, String node, byte[] asked, Duration patience) throws JournalException;

    /** Hands out calls to this node, those first that wait for longest; each once, to whoever asks. */
    List<Posted> take(String node, int limit) throws JournalException;

    /** Leaves the answer to a call; nothing if nobody waits for it any more. */
    void answer(UUID call, byte[] answer) throws JournalException;

    /** Where a call is; empty if it isn't there any more. */
    Optional<Progress> look(UUID call) throws JournalException;

    /** Takes a call back; true if it was there and nobody had taken it, nor will. One that was taken stays. */
    boolean withdraw(UUID call) throws JournalException;

    /** Removes a call with its answer. */
    void remove(UUID call) throws JournalException;

    /** Removes what nobody waits for any more. */
    void sweep() throws JournalException;

    /** A call that was handed out. */
    @SuppressWarnings("ArrayRecordComponent")
    record Posted(UUID call, byte[] asked) {}

    /**
     * How far a call is.
     *
     * @param taken whether its node has it
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Progress(boolean taken, Optional<byte[]> answer) {}
}
