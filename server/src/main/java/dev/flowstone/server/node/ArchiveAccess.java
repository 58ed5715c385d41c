package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.archive.Archiver;
import dev.flowstone.engine.archive.Archives;
import dev.flowstone.engine.archive.Disk;
import dev.flowstone.server.config.FlowstoneConfig;

/** A database whose cold months are to be archived, beside a Flowstone that runs on it or not. */
public final class ArchiveAccess implements AutoCloseable {
    private final Store store;

    private ArchiveAccess(Store store) {
        this.store = requireNonNull(store);
    }

    public static ArchiveAccess open(FlowstoneConfig config) throws CannotStartException {
        return new ArchiveAccess(Store.toRead(config.database()));
    }

    /** What was archived so far. */
    public Archives archives() {
        return store.postgres().archives();
    }

    public Archiver archiver() {
        Ports ports = store.ports();
        return new Archiver(archives(), store.entries(), ports.journal(), ports.workflows(), ports.clock(), Disk.own());
    }

    @Override
    public void close() {
        store.close();
    }
}
