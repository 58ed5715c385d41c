package dev.flowstone.testkit.memory;

import dev.flowstone.engine.Ports;
import dev.flowstone.testkit.conformance.DeadLettersConformance;
import dev.flowstone.testkit.time.VirtualClock;

final class InMemoryDeadLettersTest extends DeadLettersConformance {
    @Override
    protected Ports open() {
        return new InMemoryDatabase(VirtualClock.start(), 2).ports();
    }
}
