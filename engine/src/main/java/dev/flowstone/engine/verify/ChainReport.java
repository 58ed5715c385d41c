package dev.flowstone.engine.verify;

import java.util.Optional;

/**
 * What a verification found.
 *
 * @param runs looked at, the faulty one included
 * @param events whose hashes were recomputed and stand
 * @param fault the first
 */
public record ChainReport(long runs, long events, Optional<ChainFault> fault) {
    public boolean whole() {
        return fault.isEmpty();
    }
}
