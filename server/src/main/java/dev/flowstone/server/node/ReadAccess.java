package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.definition.Programs;

/**
 * A database to look at: no engine, nothing moves. Where a Flowstone runs on the data directory, its server is asked; where
 * none runs, the server is started for as long as this is open.
 */
public final class ReadAccess implements AutoCloseable {
    private final Store store;
    private final Programs programs;
    private final RunHistory history;

    private ReadAccess(Store store) {
        this.store = requireNonNull(store);
        this.programs = new Programs(store.ports().workflows());
        this.history = new RunHistory(store.ports().runs());
    }

    public static ReadAccess open(FlowstoneConfig config) throws CannotStartException {
        return new ReadAccess(Store.toRead(config.database()));
    }

    public RunReader runs() {
        return store.ports().runs();
    }

    public Programs programs() {
        return programs;
    }

    public RunHistory history() {
        return history;
    }

    /** Of every tenant's chains. */
    public ChainVerifier verifier() {
        return new ChainVerifier(store.entries());
    }

    /** Of its history as a whole. */
    public AnchorAccess anchors() {
        return new AnchorAccess(store);
    }

    @Override
    public void close() {
        store.close();
    }
}
