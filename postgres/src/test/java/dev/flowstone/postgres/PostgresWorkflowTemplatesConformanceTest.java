package dev.flowstone.postgres;

import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.testkit.conformance.WorkflowTemplatesConformance;
import org.junit.jupiter.api.AfterEach;

final class PostgresWorkflowTemplatesConformanceTest extends WorkflowTemplatesConformance {
    private final OpenedPorts databases = new OpenedPorts();

    @Override
    protected WorkflowTemplates open() throws Exception {
        return databases.open(TestServer.shared().database()).workflowTemplates();
    }

    @AfterEach
    void close() {
        databases.close();
    }
}
