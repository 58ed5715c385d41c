package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;

/** Which connector's credential is wanted, for whose execution. */
public final class CredentialRequest {
    private final String connectorId;
    private final String tenantId;
    private final Supplier<Requester> requester;

    /**
     * By an attempt.
     *
     * @param requester is asked only if somebody wants to know
     */
    public CredentialRequest(String connectorId, String tenantId, Supplier<Requester> requester) {
        this.connectorId = requireNonNull(connectorId);
        this.tenantId = requireNonNull(tenantId);
        this.requester = requireNonNull(requester);
    }

    public String connectorId() {
        return connectorId;
    }

    public String tenantId() {
        return tenantId;
    }

    /**
     * For whom.
     *
     * @throws LookupFailedException if nobody can say now
     */
    public Requester requester() {
        return requester.get();
    }
}
