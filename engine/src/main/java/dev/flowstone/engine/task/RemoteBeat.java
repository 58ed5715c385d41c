package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

/** What a worker learns when it says that it still works on an attempt. */
public sealed interface RemoteBeat {
    /**
     * It is still this worker's.
     *
     * @param lease the same, or a new one if it was taken over from a node before
     * @param canceled whether nobody wants its result any more; its answer is waited for all the same
     */
    record Held(String lease, boolean canceled) implements RemoteBeat {
        public Held {
            requireNonNull(lease);
        }
    }

    /** This node has given up on it: its time was up, it was silent for too long, or it is settled. */
    record Gone() implements RemoteBeat {}

    /** Another node, or this one before it was started again, has handed it out, and nothing is known of it here. */
    record Unknown() implements RemoteBeat {}
}
