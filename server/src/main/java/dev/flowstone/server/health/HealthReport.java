package dev.flowstone.server.health;

import java.util.List;

/** All items, in a fixed order. */
public record HealthReport(List<HealthItem> items) {
    public HealthReport {
        items = List.copyOf(items);
    }

    /** The worst of them. */
    public HealthStatus status() {
        return items.stream().map(HealthItem::status).reduce(HealthStatus.OK, HealthStatus::or);
    }
}
