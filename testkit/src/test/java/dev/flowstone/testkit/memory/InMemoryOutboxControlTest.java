package dev.flowstone.testkit.memory;

import dev.flowstone.engine.Ports;
import dev.flowstone.testkit.conformance.OutboxControlConformance;
import dev.flowstone.testkit.time.VirtualClock;

final class InMemoryOutboxControlTest extends OutboxControlConformance {
    @Override
    protected Ports open() {
        return new InMemoryDatabase(VirtualClock.start(), 2).ports();
    }
}
