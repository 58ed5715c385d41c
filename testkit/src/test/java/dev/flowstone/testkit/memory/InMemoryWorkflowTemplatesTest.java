package dev.flowstone.testkit.memory;

import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.testkit.conformance.WorkflowTemplatesConformance;
import dev.flowstone.testkit.time.VirtualClock;

final class InMemoryWorkflowTemplatesTest extends WorkflowTemplatesConformance {
    @Override
    protected WorkflowTemplates open() {
        return new InMemoryWorkflowTemplates(VirtualClock.start());
    }
}
