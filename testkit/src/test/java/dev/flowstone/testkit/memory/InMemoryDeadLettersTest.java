package dev.flowstone.testkit.memory;

import dev.flowstone.engine.Ports;
import dev.flowstone.testkit.conformance.DeadLettersConformance;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;

final class InMemoryDeadLettersTest extends DeadLettersConformance {
    private final VirtualClock clock = VirtualClock.start();

    @Override
    protected Ports open() {
        return new InMemoryDatabase(clock, 2).ports();
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }
}
