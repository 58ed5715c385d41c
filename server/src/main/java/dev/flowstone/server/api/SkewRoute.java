package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.node.Skew;
import dev.flowstone.engine.shard.ShardLoad;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.SystemDocs;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.function.Supplier;

/** What of this node is out of step; it names tenants, so it is for who runs the installation. */
final class SkewRoute {
    static final String PATH = "/api/v1/system/skew";

    private final Supplier<NodeLoad> load;
    private final Clock clock;

    SkewRoute(Supplier<NodeLoad> load, Clock clock) {
        this.load = requireNonNull(load);
        this.clock = requireNonNull(clock);
    }

    Route route() {
        return Route.get(PATH, Scope.METRICS_READ, SystemDocs.SKEW, this::show);
    }

    private Reply show(Call call) {
        NodeLoad now = load.get();
        return Reply.json(
                200,
                JsonObject.builder()
                        .put(
                                "skew",
                                new JsonArray(Skew.of(now, clock.now()).stream()
                                        .<JsonValue>map(SkewRoute::json)
                                        .toList()))
                        .put(
                                "shards",
                                new JsonArray(now.shards().stream()
                                        .<JsonValue>map(SkewRoute::json)
                                        .toList()))
                        .put("clockAheadSeconds", seconds(Skew.clock(now)))
                        .build());
    }

    private static JsonObject json(Skew skew) {
        return JsonObject.builder()
                .put("of", skew.of().toString())
                .put("busiest", skew.busiest())
                .put("most", number(skew.most()))
                .put("mean", number(skew.mean()))
                .put("share", number(skew.share()))
                .put("oldestSeconds", seconds(skew.oldest()))
                .build();
    }

    static JsonObject json(ShardLoad shard) {
        return JsonObject.builder()
                .put("shard", shard.shard().toString())
                .put("status", shard.status().name())
                .put("waiting", shard.waiting())
                .put("timersLateSeconds", seconds(shard.late()))
                .put("clockAheadSeconds", seconds(shard.ahead()))
                .build();
    }

    static JsonNumber seconds(Duration time) {
        return number(time.toMillis() / 1_000.0);
    }

    private static JsonNumber number(double value) {
        return JsonNumber.of(
                BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP).stripTrailingZeros());
    }
}
