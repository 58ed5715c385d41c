package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.SystemDocs;
import dev.flowstone.server.health.HealthChecks;
import dev.flowstone.server.health.HealthItem;
import dev.flowstone.server.health.HealthReport;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** How this node and its database fare, item by item; of all tenants together, so it is for who runs the installation. */
final class HealthRoute {
    private final HealthChecks checks;

    HealthRoute(HealthChecks checks) {
        this.checks = requireNonNull(checks);
    }

    Route route() {
        return Route.get("/health", Scope.METRICS_READ, SystemDocs.HEALTH, this::show);
    }

    private Reply show(Call call) {
        HealthReport report = checks.report();
        return Reply.json(
                200,
                JsonObject.builder()
                        .put("status", report.status().toString())
                        .put(
                                "items",
                                new JsonArray(report.items().stream()
                                        .<JsonValue>map(HealthRoute::json)
                                        .toList()))
                        .build());
    }

    private static JsonObject json(HealthItem item) {
        return JsonObject.builder()
                .put("item", item.name())
                .put("status", item.status().toString())
                .put("value", number(item.value()))
                .put("limit", number(item.limit()))
                .put("detail", item.detail())
                .put("advice", item.advice())
                .build();
    }

    private static JsonNumber number(double value) {
        return JsonNumber.of(
                BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP).stripTrailingZeros());
    }
}
