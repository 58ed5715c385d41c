package dev.flowstone.engine.verify;

import dev.flowstone.engine.journal.RunKey;

/**
 * Where a chain is broken.
 *
 * @param sequence number of the first event that can't be trusted; 0 if the run as a whole is missing
 */
public record ChainFault(RunKey run, long sequence, String reason) {
    @Override
    public String toString() {
        return "run " + run.run() + " of " + run.tenant() + ", event " + sequence + ": " + reason;
    }
}
