package dev.flowstone.bench.torture.company;

import static java.util.Objects.requireNonNull;

import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** The embedded one. */
record OneServer(EmbeddedPostgres server) implements CompanyDatabase {
    private static final int BUFFER_MEGABYTES = 128;

    /** Fits on a small disk, with all else. */
    private static final int LOG_MEGABYTES = 192;

    OneServer {
        requireNonNull(server);
    }

    /** Starts it in the company's folder. */
    static OneServer in(CompanyConfig config) throws EmbeddedPostgresException {
        String place = config.smallDisk() ? "disk/database" : "database";
        EmbeddedConfig usual = EmbeddedConfig.in(config.folder().resolve(place)).withSharedBuffers(BUFFER_MEGABYTES);
        return new OneServer(EmbeddedPostgres.start(config.smallDisk() ? usual.withLog(LOG_MEGABYTES) : usual));
    }

    @Override
    public PostgresConfig config() {
        return server.config();
    }

    @Override
    public PostgresConfig superuser() {
        return server.config();
    }

    @Override
    public List<InetSocketAddress> addresses() {
        return List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    }

    @Override
    public void crash() throws IOException {
        OsSignal.QUIT.send(server.processId());
    }

    /** It is the only one, and looked after by itself. */
    @Override
    public void awaitWhole() {}

    @Override
    public void close() {
        server.close();
    }
}
