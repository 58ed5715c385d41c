package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.SystemDocs;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Which nodes there are, who holds which shard, and how far each is behind: as the database says, and for its lag the node
 * that holds it, which is asked. It shows what concerns all tenants, so it is for who runs the installation.
 */
final class ClusterRoute {
    /** Of how a shard fares, which its node alone knows. */
    private static final Set<String> LAG = Set.of("status", "waiting", "timersLateSeconds", "clockAheadSeconds");

    private final Leases leases;
    private final Supplier<NodeLoad> load;
    private final Elsewhere elsewhere;

    ClusterRoute(Leases leases, Supplier<NodeLoad> load, Elsewhere elsewhere) {
        this.leases = requireNonNull(leases);
        this.load = requireNonNull(load);
        this.elsewhere = requireNonNull(elsewhere);
    }

    Route route() {
        return Route.get("/api/v1/cluster", Scope.METRICS_READ, SystemDocs.CLUSTER, this::show);
    }

    private Reply show(Call call) throws JournalException {
        Census census = leases.census();
        Map<String, JsonObject> lag = lag(call);
        List<JsonValue> nodes = new ArrayList<>();
        for (Census.Present present : census.present()) {
            nodes.add(json(census, present));
        }
        List<JsonValue> shards = new ArrayList<>();
        for (Shard shard : leases.shards()) {
            shards.add(json(
                    shard,
                    Optional.ofNullable(census.holdings().get(shard.id())),
                    Optional.ofNullable(lag.get(shard.id().toString()))));
        }
        return Reply.json(
                200,
                JsonObject.builder()
                        .put("nodes", new JsonArray(nodes))
                        .put("shards", new JsonArray(shards))
                        .build());
    }

    private static JsonObject json(Census census, Census.Present present) {
        String name = present.member().name();
        return JsonObject.builder()
                .put("node", name)
                .put("address", present.member().address())
                .put("release", present.member().release())
                .put("since", present.since().toString())
                .put("goneInSeconds", SkewRoute.seconds(present.left()))
                .put(
                        "shards",
                        census.holdings().values().stream()
                                .filter(holding -> holding.holder().equals(name))
                                .count())
                .build();
    }

    private static JsonObject json(Shard shard, Optional<Census.Holding> holding, Optional<JsonObject> lag) {
        JsonObject.Builder json = JsonObject.builder()
                .put("shard", shard.id().number())
                .put("firstSlot", shard.firstSlot())
                .put("lastSlot", shard.lastSlot())
                .putIfPresent("node", holding.map(Census.Holding::holder));
        holding.ifPresent(it -> json.put("epoch", it.epoch()).put("leaseSeconds", SkewRoute.seconds(it.left())));
        lag.ifPresent(it -> it.members().forEach((name, value) -> {
            if (LAG.contains(name)) {
                json.put(name, value);
            }
        }));
        return json.build();
    }

    /** How each shard fares, by its number, of this node and of those that answer. */
    private Map<String, JsonObject> lag(Call call) {
        Map<String, JsonObject> lag = new HashMap<>();
        for (JsonObject answer : elsewhere.everywhere(call, SkewRoute.PATH)) {
            if (answer.get("shards") instanceof JsonArray(List<JsonValue> shards)) {
                shards.forEach(shard -> put(lag, shard));
            }
        }
        load.get().shards().forEach(shard -> put(lag, SkewRoute.json(shard)));
        return lag;
    }

    private static void put(Map<String, JsonObject> lag, JsonValue shard) {
        if (shard instanceof JsonObject object && object.get("shard") instanceof JsonString(String number)) {
            lag.put(number, object);
        }
    }
}
