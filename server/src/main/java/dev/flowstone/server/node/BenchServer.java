package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresConfig.Login;
import dev.flowstone.postgres.WalFiles;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException;
import dev.flowstone.server.config.FlowstoneConfig;
import java.util.function.Consumer;

/** A database server to measure on, and nothing of its content: benchmarks make databases of their own. */
public final class BenchServer implements AutoCloseable {
    private final AutoCloseable server;
    private final PostgresConfig config;
    private final boolean ours;

    private BenchServer(AutoCloseable server, PostgresConfig config, boolean ours) {
        this.server = requireNonNull(server);
        this.config = requireNonNull(config);
        this.ours = ours;
    }

    public static BenchServer open(FlowstoneConfig.Database database) throws CannotStartException {
        if (database.url().isPresent()) {
            Login login = new Login(database.user(), database.password());
            return new BenchServer(
                    () -> {}, Store.sized(PostgresConfig.of(database.url().get(), login), database), false);
        }
        try {
            EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(database.data()));
            return new BenchServer(server, Store.sized(server.config(), database), true);
        } catch (EmbeddedPostgresException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    public PostgresConfig config() {
        return config;
    }

    /**
     * Brings the embedded server to where a server is that has been in use: the files of its log are there. Somebody else's
     * server is measured as it is.
     */
    public void prepare(Consumer<String> progress) throws JournalException {
        if (ours) {
            WalFiles.prepare(config, left -> progress.accept("making the log's files, " + left + " MB left"));
        }
    }

    @Override
    public void close() throws CannotStartException {
        try {
            server.close();
        } catch (Exception e) {
            throw new CannotStartException("the database could not be stopped: " + e.getMessage(), e);
        }
    }
}
