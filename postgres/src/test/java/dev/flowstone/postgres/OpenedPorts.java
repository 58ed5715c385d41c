package dev.flowstone.postgres;

import dev.flowstone.engine.Ports;
import java.util.ArrayList;
import java.util.List;

/** Ports that a test class opened, each on a database of its own. */
final class OpenedPorts {
    private final List<PostgresPorts> opened = new ArrayList<>();

    Ports open() throws Exception {
        return open(TestServer.shared().database()).ports();
    }

    PostgresPorts open(PostgresConfig config) throws PostgresOpenException {
        PostgresPorts ports = PostgresPorts.open(config);
        opened.add(ports);
        return ports;
    }

    void close() {
        opened.forEach(PostgresPorts::close);
        opened.clear();
    }
}
