package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresConfig.Login;
import dev.flowstone.postgres.PostgresPorts;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException;
import dev.flowstone.server.config.FlowstoneConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** An open database: a PostgreSQL that somebody else runs, or the embedded one, which is then ours to stop. */
final class Store implements AutoCloseable {
    private final Optional<EmbeddedPostgres> server;
    private final PostgresPorts postgres;

    private Store(Optional<EmbeddedPostgres> server, PostgresPorts postgres) {
        this.server = requireNonNull(server);
        this.postgres = requireNonNull(postgres);
    }

    /** To run workflows on. A data directory belongs to one Flowstone at a time. */
    static Store open(FlowstoneConfig.Database database) throws CannotStartException {
        return open(database, DatabaseWait.NONE);
    }

    /** The same, where a database that somebody else runs may come up later. */
    static Store open(FlowstoneConfig.Database database, DatabaseWait wait) throws CannotStartException {
        if (database.url().isPresent()) {
            return new Store(
                    Optional.empty(), wait.open(remote(database, database.url().get())));
        }
        try {
            return embedded(database, EmbeddedPostgres.start(EmbeddedConfig.in(database.data())));
        } catch (EmbeddedPostgresException.AlreadyRunning e) {
            throw new CannotStartException(
                    e.getMessage() + ". If it serves HTTP, start executions there (POST /api/v1/workflows/ID/execute);"
                            + " runs, show, graph and verify work beside it",
                    e);
        } catch (EmbeddedPostgresException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /** To look at. Makes no database, and doesn't disturb a Flowstone that runs on it. */
    static Store toRead(FlowstoneConfig.Database database) throws CannotStartException {
        if (database.url().isPresent()) {
            return new Store(
                    Optional.empty(), ports(remote(database, database.url().get())));
        }
        Path data = database.data();
        EmbeddedConfig config = EmbeddedConfig.in(data);
        try {
            if (!EmbeddedPostgres.exists(config)) {
                throw new CannotStartException(
                        "there is no database in " + (Files.exists(data) ? "" : "the missing folder ") + data
                                + " yet; `run` and `serve` make one, --data names another");
            }
            return embedded(database, EmbeddedPostgres.start(config));
        } catch (EmbeddedPostgresException.AlreadyRunning e) {
            return new Store(Optional.empty(), ports(sized(running(config, e), database)));
        } catch (EmbeddedPostgresException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static PostgresConfig running(EmbeddedConfig config, EmbeddedPostgresException.AlreadyRunning holder)
            throws CannotStartException {
        try {
            return EmbeddedPostgres.running(config)
                    .orElseThrow(() -> new CannotStartException(
                            holder.getMessage() + "; it is starting or stopping, try again in a moment", holder));
        } catch (EmbeddedPostgresException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    Ports ports() {
        return postgres.ports();
    }

    EntrySource entries() {
        return postgres.entrySource();
    }

    PostgresPorts postgres() {
        return postgres;
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } finally {
            server.ifPresent(EmbeddedPostgres::close);
        }
    }

    /** That of a server that somebody else runs. */
    static PostgresConfig remote(FlowstoneConfig.Database database, String url) throws CannotStartException {
        try {
            return sized(PostgresConfig.of(url, new Login(database.user(), database.password())), database);
        } catch (IllegalArgumentException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Store embedded(FlowstoneConfig.Database database, EmbeddedPostgres server)
            throws CannotStartException {
        try {
            return new Store(Optional.of(server), ports(sized(server.config(), database)));
        } catch (CannotStartException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    static PostgresConfig sized(PostgresConfig config, FlowstoneConfig.Database database) {
        PostgresConfig sized = config.withShards(database.shards())
                .withConnections(database.engineConnections(), database.apiConnections())
                .withRoles(database.roles())
                .withSocketTimeout(database.socketTimeout());
        return database.prepare() ? sized : sized.withoutPreparedStatements();
    }

    private static PostgresPorts ports(PostgresConfig config) throws CannotStartException {
        return DatabaseWait.NONE.open(config);
    }
}
