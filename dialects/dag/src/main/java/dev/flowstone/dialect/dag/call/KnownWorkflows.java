package dev.flowstone.dialect.dag.call;

import java.util.Optional;
import java.util.Set;

/** What is known of the workflows that a definition calls. Only warnings look at it: they may come to be before the call. */
public interface KnownWorkflows {
    /** Nothing is known of any. */
    KnownWorkflows NOTHING = new KnownWorkflows() {
        @Override
        public Optional<String> refusal(String workflow, Optional<Integer> version) {
            return Optional.empty();
        }

        @Override
        public Set<String> called(String workflow) {
            return Set.of();
        }
    };

    /**
     * Why a call could not start it now, as a sentence without its full stop; empty if it could, or if nothing is known.
     *
     * @param version empty means the current one
     */
    Optional<String> refusal(String workflow, Optional<Integer> version);

    /** The workflows that its current version calls; of finitely many something is known. */
    Set<String> called(String workflow);
}
