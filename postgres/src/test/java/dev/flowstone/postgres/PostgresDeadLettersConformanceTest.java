package dev.flowstone.postgres;

import dev.flowstone.engine.Ports;
import dev.flowstone.testkit.conformance.DeadLettersConformance;
import org.junit.jupiter.api.AfterEach;

final class PostgresDeadLettersConformanceTest extends DeadLettersConformance {
    private final OpenedPorts databases = new OpenedPorts();

    @Override
    protected Ports open() throws Exception {
        return databases.open();
    }

    @AfterEach
    void close() {
        databases.close();
    }
}
