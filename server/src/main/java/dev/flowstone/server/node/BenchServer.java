package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.PgBouncer;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.WalFiles;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException;
import dev.flowstone.server.config.FlowstoneConfig;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** A database server to measure on, and nothing of its content: benchmarks make databases of their own. */
public final class BenchServer implements AutoCloseable {
    private final AutoCloseable server;
    private final PostgresConfig direct;
    private final boolean ours;
    private final Optional<PgBouncer> pooler;

    private BenchServer(AutoCloseable server, PostgresConfig direct, boolean ours, Optional<PgBouncer> pooler) {
        this.server = requireNonNull(server);
        this.direct = requireNonNull(direct);
        this.ours = ours;
        this.pooler = requireNonNull(pooler);
    }

    /**
     * Opens it.
     *
     * @param pooled whether a PgBouncer that pools by transaction is to stand before it
     */
    public static BenchServer open(FlowstoneConfig.Database database, boolean pooled) throws CannotStartException {
        if (database.url().isPresent()) {
            return made(() -> {}, Store.remote(database, database.url().get()), false, pooled);
        }
        try {
            EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(database.data()));
            return made(server, Store.sized(server.config(), database), true, pooled);
        } catch (EmbeddedPostgresException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static BenchServer made(AutoCloseable server, PostgresConfig direct, boolean ours, boolean pooled)
            throws CannotStartException {
        Optional<PgBouncer> pooler = Optional.empty();
        if (pooled) {
            try {
                pooler = Optional.of(PgBouncer.before(direct, direct.engineConnections(), PgBouncer.Sessions.KEPT));
            } catch (IOException e) {
                new BenchServer(server, direct, ours, pooler).close();
                throw new CannotStartException(String.valueOf(e.getMessage()), e);
            }
        }
        return new BenchServer(server, direct, ours, pooler);
    }

    /** By the way that is measured. */
    public PostgresConfig config() {
        return pooler.map(PgBouncer::config).orElse(direct);
    }

    /** Without anything in between, to look at. */
    public PostgresConfig direct() {
        return direct;
    }

    /**
     * Brings the embedded server to where a server is that has been in use: the files of its log are there. Somebody else's
     * server is measured as it is.
     */
    public void prepare(Consumer<String> progress) throws JournalException {
        if (ours) {
            WalFiles.prepare(direct, left -> progress.accept("making the log's files, " + left + " MB left"));
        }
    }

    @Override
    public void close() throws CannotStartException {
        try (server) {
            if (pooler.isPresent()) {
                pooler.get().close();
            }
        } catch (Exception e) {
            throw new CannotStartException("the database could not be stopped: " + e.getMessage(), e);
        }
    }
}
