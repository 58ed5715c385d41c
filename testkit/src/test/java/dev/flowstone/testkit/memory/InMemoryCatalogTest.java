package dev.flowstone.testkit.memory;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.testkit.conformance.CatalogConformance;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;

final class InMemoryCatalogTest extends CatalogConformance {
    private final VirtualClock clock = VirtualClock.start();

    @Override
    protected Catalog open() {
        return new InMemoryCatalog(clock);
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }
}
