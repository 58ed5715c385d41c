package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forks and branches in snapshots. */
final class BranchForms {
    private BranchForms() {}

    static JsonObject write(ForkState fork) {
        List<JsonValue> open = new ArrayList<>();
        fork.open()
                .forEach((branch, number) -> open.add(JsonObject.builder()
                        .put("branch", branch)
                        .put("number", number)
                        .build()));
        List<JsonValue> results = new ArrayList<>();
        fork.results()
                .forEach((branch, result) -> results.add(JsonObject.builder()
                        .put("branch", branch)
                        .put("result", result)
                        .build()));
        JsonObject.Builder out = JsonObject.builder()
                .put("fork", fork.fork().toString())
                .put("scope", fork.scope())
                .put("branches", fork.branches())
                .put("next", fork.next())
                .put("arrived", fork.arrived())
                .put("accepted", fork.accepted())
                .put("bytes", fork.bytes())
                .put("open", new JsonArray(open))
                .put("results", new JsonArray(results))
                .put(
                        "via",
                        new JsonArray(fork.arrivals().stream()
                                .<JsonValue>map(edge -> new JsonString(edge.value()))
                                .toList()));
        if (fork.items() != null) {
            out.put("items", fork.items());
        }
        if (fork.fired() != null) {
            out.put("fired", fork.fired().name());
        }
        return out.build();
    }

    static ForkState fork(JsonCursor at) {
        LongMap<Integer> open = LongMap.empty();
        for (JsonCursor one : at.member("open").items()) {
            open = open.with(one.intValue("branch"), one.intValue("number"));
        }
        LongMap<JsonObject> results = LongMap.empty();
        for (JsonCursor one : at.member("results").items()) {
            results = results.with(one.intValue("branch"), one.member("result").object());
        }
        SortedTree<EdgeId, EdgeId> via = SortedTree.empty();
        for (EdgeId edge : at.list("via", one -> one.as(EdgeId::new))) {
            via = via.with(edge, edge);
        }
        return new ForkState(
                at.as("fork", ActivationId::parse),
                at.intValue("scope"),
                at.intValue("branches"),
                at.intValue("next"),
                at.intValue("arrived"),
                at.intValue("accepted"),
                open,
                results,
                via,
                at.find("items").map(JsonCursor::array).orElse(null),
                outcome(at, "fired"),
                at.longValue("bytes"));
    }

    static JsonObject write(BranchState branch, Topology topology) {
        List<JsonValue> results = new ArrayList<>();
        branch.results()
                .forEach((node, result) -> results.add(JsonObject.builder()
                        .put("node", name(topology, (int) node))
                        .put("result", PayloadCodec.write(result))
                        .build()));
        JsonObject.Builder out = JsonObject.builder()
                .put("fork", branch.fork().toString())
                .put("index", branch.index())
                .put("kept", branch.kept())
                .put("failed", branch.failed())
                .put("results", new JsonArray(results));
        if (branch.item() != null) {
            out.put("item", branch.item()).put("itemIndex", branch.itemIndex());
        }
        if (branch.arrived() != null) {
            out.put("arrived", branch.arrived().value());
        }
        if (branch.human() != null) {
            out.put("human", branch.human().name());
        }
        if (branch.last() != null) {
            out.put("last", branch.last().name());
        }
        if (branch.lastResult() >= 0) {
            out.put("lastResult", name(topology, branch.lastResult()));
        }
        return out.build();
    }

    static BranchState branch(JsonCursor at, Topology topology) {
        LongMap<Payload> results = LongMap.empty();
        for (JsonCursor one : at.member("results").items()) {
            results = results.with(number(one, "node", topology), PayloadCodec.read(one.member("result")));
        }
        int index = at.intValue("index");
        JsonCursor item = at.find("item").orElse(null);
        return new BranchState(
                at.as("fork", ActivationId::parse),
                index,
                item == null ? null : item.value(),
                item == null ? index : at.intValue("itemIndex"),
                at.bool("kept"),
                at.find("arrived").map(edge -> edge.as(EdgeId::new)).orElse(null),
                at.bool("failed"),
                outcome(at, "human"),
                outcome(at, "last"),
                at.find("lastResult").isPresent() ? number(at, "lastResult", topology) : -1,
                results);
    }

    private static String name(Topology topology, int node) {
        return topology.place(node).node().id().value();
    }

    private static int number(JsonCursor at, String name, Topology topology) {
        return topology.place(at.as(name, NodeId::new)).number();
    }

    private static @Nullable Outcome outcome(JsonCursor at, String name) {
        return at.find(name).map(outcome -> outcome.as(Outcome::new)).orElse(null);
    }
}
