package dev.flowstone.bench.torture.company;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.pair.DatabasePair;
import dev.flowstone.postgres.PostgresConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/** A pair that fails over. */
record TwoServers(DatabasePair pair) implements CompanyDatabase {
    TwoServers {
        requireNonNull(pair);
    }

    /** Starts it; what its programs say goes to the company's folder. */
    static TwoServers in(CompanyConfig config) throws IOException, InterruptedException {
        return new TwoServers(DatabasePair.start(config.folder().resolve("pair")));
    }

    @Override
    public PostgresConfig config() {
        return pair.config();
    }

    @Override
    public PostgresConfig superuser() throws IOException, InterruptedException {
        return pair.superuser();
    }

    @Override
    public List<InetSocketAddress> addresses() {
        return pair.addresses();
    }

    @Override
    public void crash() throws IOException, InterruptedException {
        pair.killLeadingPostgres();
    }

    @Override
    public void awaitWhole() throws IOException, InterruptedException {
        pair.awaitWhole();
    }

    @Override
    public void close() throws IOException {
        pair.close();
    }
}
