package dev.flowstone.engine.policy;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/** Keeps published policies. A version never changes, which the database itself refuses; the newest is the current one. */
public interface PolicyStore {
    /** Has none, and takes none. */
    PolicyStore NONE = new PolicyStore() {
        @Override
        public PolicyVersion publish(TenantId tenant, PolicyName name, JsonObject bundle, Actor by, Instant at) {
            throw new UnsupportedOperationException("no policies are kept here");
        }

        @Override
        public Optional<PolicyVersion> current(TenantId tenant, PolicyName name) {
            return Optional.empty();
        }

        @Override
        public Optional<PolicyVersion> version(TenantId tenant, PolicyName name, int version) {
            return Optional.empty();
        }
    };

    /**
     * Makes a bundle the current version. One that is equal to the current version is that version, published by whom it was; of several that are
     * published at once each gets a number of its own.
     */
    PolicyVersion publish(TenantId tenant, PolicyName name, JsonObject bundle, Actor by, Instant at)
            throws JournalException;

    /** The newest version. */
    Optional<PolicyVersion> current(TenantId tenant, PolicyName name) throws JournalException;

    /** A version by its number. */
    Optional<PolicyVersion> version(TenantId tenant, PolicyName name, int version) throws JournalException;
}
