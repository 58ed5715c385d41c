package dev.flowstone.bench.torture.company;

import dev.flowstone.postgres.PostgresConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/** What a company's nodes share. */
sealed interface CompanyDatabase extends AutoCloseable permits OneServer, TwoServers {
    /** For nodes, past all proxies. */
    PostgresConfig config();

    /** The same as the superuser. */
    PostgresConfig superuser() throws IOException, InterruptedException;

    /** Where its servers are, as the configuration's URL names them. */
    List<InetSocketAddress> addresses();

    /** The server with which nodes work stops at once, as when it crashes; it is started again by itself. */
    void crash() throws IOException, InterruptedException;

    /** Waits until every server that it has does what it is for. */
    void awaitWhole() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
