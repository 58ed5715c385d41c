package dev.flowstone.bench.torture.company;

import static java.util.Objects.requireNonNull;

import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** The embedded one. */
record OneServer(EmbeddedPostgres server) implements CompanyDatabase {
    OneServer {
        requireNonNull(server);
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
