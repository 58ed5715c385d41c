package dev.flowstone.server.deploy;

import dev.flowstone.server.client.ServerCall;

/** The ledger and where it is kept: who writes it has seen what was written before. */
final class Book {
    private final Remote remote;
    private final String name;
    private final Ledger ledger;
    private long revision;

    /** @param revision of what was read; 0 if there was none */
    Book(Remote remote, String name, Ledger ledger, long revision) {
        this.remote = remote;
        this.name = name;
        this.ledger = ledger;
        this.revision = revision;
    }

    Ledger ledger() {
        return ledger;
    }

    /** Refused if somebody else has written it meanwhile: two that apply the same at once. */
    void write() throws DeployException, InterruptedException {
        String id = Deployment.ledgerOf(name);
        revision = Remote.revision(remote.done(
                        "what deployment '" + name + "' has made",
                        ServerCall.of("POST", "/workflows")
                                .with(ledger.toDefinition(id, name))
                                .at(revision))
                .body());
    }
}
